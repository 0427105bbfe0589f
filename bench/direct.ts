import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { createCaller } from './caller.ts';
import type { Case } from './case.ts';
import { echoCases } from './cases/echo.ts';
import { postingCases } from './cases/posting.ts';
import { cpuMsOf, cpuMsOfAll, sumOf } from './cpu-time.ts';
import { measureAll } from './measure.ts';
import { startProduct } from './product.ts';
import { startProgram } from './programs.ts';
import { printRows, rowsOf } from './report.ts';

/**
 * What posts cost that an API process decides and stores itself, beside those that a workflow task
 * decides, and the echo (docs/decisions/deciding-without-a-task.md): `node --import tsx
 * bench/direct.ts [--repeats 3 --seconds 5]`. The last line is everything as JSON.
 */
const { values } = parseArgs({
  options: { repeats: { type: 'string', default: '3' }, seconds: { type: 'string', default: '5' } },
});
const MEASURED = /^lone posts, (1|32) in|hot/;

const product = await startProduct();
const echoWorker = await startProgram('bench/echo-worker.ts', { args: [product.temporalAddress] });
const connection = await Connection.connect({ address: product.temporalAddress });
const temporal = new Client({ connection, namespace: product.namespace });
const other = await product.startAnother('api', 'bench/direct/api.ts').catch(async (error: unknown) => {
  await product.close();
  throw error;
});
const direct = createCaller(other.origin, product.token);
try {
  const echoPids = async () => [(await product.pids()).temporal, echoWorker.pid];
  const echoes = await echoCases(temporal, async () => cpuMsOfAll(await echoPids()));
  const cpuMs = async () => sumOf([await product.cpuMs(), await cpuMsOf(other.pid)]);
  const byTask = (await postingCases({ ...product, cpuMs })).filter(({ name }) => MEASURED.test(name));
  const byApi = (await postingCases({ ...product, ...direct, cpuMs })).filter(({ name }) =>
    MEASURED.test(name),
  );
  const cases: Case[] = [
    ...echoes.filter(({ inFlight }) => inFlight === 1 || inFlight === 32),
    ...byTask,
    ...byApi.map((one) => ({ ...one, name: `${one.name}, by the API` })),
  ];
  const rows = rowsOf(
    await measureAll(cases, { repeats: Number(values.repeats), seconds: Number(values.seconds) }),
  );
  printRows(rows);
  console.log(JSON.stringify(rows));
} finally {
  await direct.close();
  await other.stop();
  await connection.close();
  await echoWorker.stop();
  await product.close();
}
process.exit(0);
