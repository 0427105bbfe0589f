import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { freePort, isPortFree } from '../../embedded/ports.ts';

const LINUX_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

describe('a free port', () => {
  test('is never given twice and can be listened on', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, freePort));
    expect(new Set(ports).size).toBe(300);
    for (const port of ports) expect(await isPortFree(port, '127.0.0.1')).toBe(true);
  });

  test.runIf(process.platform === 'linux')(
    'is not taken by an outgoing connection before its server listens',
    async () => {
      const [lowest] = (await readFile(LINUX_RANGE, 'utf8')).trim().split(/\s+/).map(Number);
      const ports = await Promise.all(Array.from({ length: 300 }, freePort));
      expect(Math.max(...ports)).toBeLessThan(lowest!);
    },
  );
});
