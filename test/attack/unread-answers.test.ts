import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryMbOf } from '../bench/cpu-time.ts';
import { startApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import { HONEST_MESSAGES } from '../support/hostile-bodies.ts';
import type { OwnProduct } from '../support/product.ts';

/** The unread responses on all sockets together would take 800 MB. */
const SOCKETS = 24;
const REQUESTS_OF_EACH = 12;
/** The test client itself keeps fewer connections open than this. */
const KEPT = 10;
/**
 * The maximum growth of the memory with all connections: unread bytes, responses in progress and
 * garbage.
 */
const MAX_MB = 350;
const MAX_MB_AFTER = 250;
/** Connections end 20 s after the client last read a byte (test/platform/http/server.test.ts). */
const WITHIN = { withinMs: 150_000, everyMs: 100 };

describe('responses that are not read', () => {
  let product: OwnProduct;
  let path: string;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    product = await startApi('unread_answers');
    const { id } = (await product.admin.post('/conversations', {})).body;
    for (let n = 0; n < 3; n += 1) {
      const { status } = await product.admin.post(`/conversations/${id}/messages`, HONEST_MESSAGES);
      expect(status).toBe(201);
    }
    path = `/v2/messages?conversation=${id}`;
  });
  afterAll(async () => {
    sockets.forEach((socket) => socket.destroy());
    await product.close();
  });

  async function ask(times: number): Promise<Socket> {
    const socket = connect(Number(new URL(product.origin).port), '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.token}\r\n\r\n`;
    socket.pause().write(request.repeat(times));
    return socket;
  }

  test('connections with unread responses are closed and their memory is freed, while others are served', async () => {
    const answer = await product.admin.get(path.replace('/v2', ''));
    expect(JSON.stringify(answer.body).length).toBeGreaterThan(2_500_000);
    const before = (await memoryMbOf(product.api.pid)) ?? 0;
    let most = 0;
    await Promise.all(Array.from({ length: SOCKETS }, () => ask(REQUESTS_OF_EACH)));
    await eventually(async () => {
      most = Math.max(most, (await memoryMbOf(product.api.pid)) ?? 0);
      return (await countConnections(product)) < KEPT;
    }, WITHIN);
    console.log(`${SOCKETS} connections that read nothing: ${before.toFixed(0)} MB → ${most.toFixed(0)} MB`);
    expect(most - before).toBeLessThan(MAX_MB);
    // Requests trigger the garbage collector.
    await eventually(
      async () => {
        await product.admin.get('/users/me');
        return ((await memoryMbOf(product.api.pid)) ?? 0) - before < MAX_MB_AFTER;
      },
      { withinMs: 90_000, everyMs: 250 },
    );
    // The large responses used up the allowance of the user (spec 9.9), which refills.
    await eventually(async () => (await product.admin.get(path.replace('/v2', ''))).status === 200, WITHIN);
  });
});

/**
 * Counts the connections of the API process, because a client that does not read cannot detect a
 * closed connection.
 */
async function countConnections({ origin }: OwnProduct): Promise<number> {
  const port = Number(new URL(origin).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  return lines.filter((line) => new RegExp(`^ *\\d+: [0-9A-F]+:${port} [0-9A-F:]+ 01 `).test(line)).length;
}
