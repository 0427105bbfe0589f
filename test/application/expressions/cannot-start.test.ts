import { expect, test } from 'vitest';
import { createExpressionPool } from '../../../application/expressions/pool.ts';
import { createProcesses, startExpressionProcess } from '../../../application/expressions/processes.ts';
import { eventually } from '../../support/eventually.ts';

test('an expression process that ends before it is ready is reported once and replaced', async () => {
  const said: unknown[] = [];
  let starts = 0;
  const processes = createProcesses({
    freed: () => undefined,
    cannotStart: (error) => void said.push(error),
    start() {
      starts += 1;
      const process = startExpressionProcess();
      if (starts === 1) process.end();
      return process;
    },
  });
  processes.want(1);
  await eventually(() => processes.alive() > 0);
  expect(said).toEqual([
    expect.objectContaining({
      message: 'A process for expressions ended before it was ready: SIGKILL.',
    }),
  ]);
  await processes.endAll();
  expect([starts, said.length]).toEqual([2, 1]);
});

test('an expression pool that is closed while its processes start logs nothing', async () => {
  const logged: object[] = [];
  const pool = createExpressionPool({ size: 2, log: { warn: (facts) => void logged.push(facts) } });
  pool.warm();
  await pool.close();
  expect(logged).toEqual([]);
});
