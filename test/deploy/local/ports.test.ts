import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort, isPortFree, waitForListener } from '../../../deploy/local/ports.ts';
import { testFolder } from './support/folder.ts';

const LINUX_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

describe('a free port', () => {
  test('a free port is never returned twice in a process', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, freePort));
    expect(new Set(ports).size).toBe(300);
  });

  test('a free port can be listened on and is no longer free afterwards', async () => {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    expect(await isPortFree((server.address() as AddressInfo).port, '127.0.0.1')).toBe(false);
    server.close();
  });

  test('a wait for a port resolves when a process listens on the port, and rejects when its signal is aborted', async () => {
    const port = await freePort();
    await expect(waitForListener(port, AbortSignal.timeout(100))).rejects.toThrow();
    const waiting = waitForListener(port, AbortSignal.timeout(200_000));
    const server = createServer().listen(port, '127.0.0.1');
    await expect(waiting).resolves.toBeUndefined();
    server.close();
  });

  test('the path of a Unix socket can be waited for like a port', async () => {
    const path = join(testFolder(), 'waited.sock');
    await expect(waitForListener(path, AbortSignal.timeout(100))).rejects.toThrow();
    const waiting = waitForListener(path, AbortSignal.timeout(200_000));
    const server = createServer().listen(path);
    await expect(waiting).resolves.toBeUndefined();
    server.close();
  });

  test.runIf(process.platform === 'linux')(
    'a free port cannot be chosen by Linux for an outgoing connection before its server listens',
    async () => {
      const [lowest] = (await readFile(LINUX_RANGE, 'utf8')).trim().split(/\s+/).map(Number);
      const ports = await Promise.all(Array.from({ length: 300 }, freePort));
      expect(Math.max(...ports)).toBeLessThan(lowest!);
    },
  );
});
