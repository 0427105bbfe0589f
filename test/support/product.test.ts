import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listensOn } from './listening-ports.ts';
import { startNode } from './node-process.ts';
import { onFreePorts, untilStarted } from './product.ts';

/** Runs code in another process, which ends with the test. */
function startCode(code: string) {
  const started = startNode('-e', { args: [code] });
  onTestFinished(async () => {
    await started.kill();
  });
  return started;
}

test('the start of a product fails as soon as a process ends, with the output of all processes', async () => {
  const waiting = startCode('console.log("waiting"); setInterval(() => {}, 1000)');
  await expect.poll(waiting.output).toContain('waiting');
  const ended = startCode('console.log("Port 1 (PORT) is in use."); process.exitCode = 1');
  const starting = untilStarted([waiting, ended], () => Promise.reject(new Error('no connection')));
  await expect(starting).rejects.toThrow(/waiting[^]*Port 1 \(PORT\) is in use\./);
  expect(await waiting.ended).toBe('SIGKILL');
});

test('a start is repeated once if a port is in use, and not after another error', async () => {
  const reasons = ['Port 1 (PORT) is in use.', 'listen EADDRINUSE: address already in use :::1'];
  for (const reason of reasons) {
    let starts = 0;
    const start = () => {
      starts += 1;
      return starts === 1 ? Promise.reject(new Error(reason)) : Promise.resolve(starts);
    };
    expect(await onFreePorts(start)).toBe(2);
  }
  let starts = 0;
  const fail = (reason: string) => () => {
    starts += 1;
    return Promise.reject(new Error(reason));
  };
  await expect(onFreePorts(fail('no store'))).rejects.toThrow('no store');
  expect(starts).toBe(1);
  await expect(onFreePorts(fail('Port 1 is in use.'))).rejects.toThrow('in use');
  expect(starts).toBe(3);
});

test.runIf(process.platform === 'linux')(
  'a process listens on its own port and not on the port of another process',
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const other = startCode('console.log("waiting"); setInterval(() => {}, 1000)');
    await expect.poll(other.output).toContain('waiting');
    expect([await listensOn(process.pid, port), await listensOn(other.pid, port)]).toEqual([true, false]);
  },
);
