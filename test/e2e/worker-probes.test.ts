import { expect, test } from 'vitest';
import { startReplaceable } from '../support/rolling.ts';
import { environmentOn } from '../support/shared-servers.ts';

test('a worker with WORKER_PORT answers probes, and tells what it has in hand', async () => {
  const worker = await startReplaceable('dist/worker/main.js', await environmentOn('worker_probes'));
  const ask = async (path: string) => {
    const response = await fetch(`${worker.origin}${path}`);
    return [response.status, await response.text()] as const;
  };
  expect(await ask('/healthz')).toEqual([200, '{"status":"ok"}']);
  const [status, ready] = await ask('/readyz');
  expect([status, JSON.parse(ready)]).toEqual([
    200,
    { status: 'ok', checks: { mongodb: { ok: true }, temporal: { ok: true }, worker: { ok: true } } },
  ]);
  expect(await ask('/metrics')).toEqual([200, expect.stringContaining('parlance_worker_running 1\n')]);
  expect((await ask('/v2/conversations'))[0]).toBe(404);
  expect(await worker.process.stop()).toBe(0);
});
