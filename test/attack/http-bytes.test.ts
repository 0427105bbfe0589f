import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { startApi } from '../support/api.ts';
import type { Product } from '../support/product.ts';
import { HOSTILE_BYTES } from './hostile-bytes.ts';

describe('hostile bytes', () => {
  let product: Product;
  beforeAll(async () => {
    product = await startApi('http_bytes');
  });
  afterAll(() => product.close());

  async function connected(): Promise<Socket> {
    const socket = connect(Number(new URL(product.origin).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  test.each([...HOSTILE_BYTES])('%s', async (_, { bytes, answers }) => {
    const socket = await connected();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(bytes);
    await Promise.race([once(socket, 'close'), new Promise((r) => setTimeout(r, 3000))]);
    console.log(JSON.stringify(text.match(/HTTP\/1\.1 \d+|"message":"[^"]*"/g)), socket.destroyed);
    socket.destroy();
    expect(text.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(9)))).toEqual(answers);
  });
});
