import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { client } from './client.ts';
import { startNode } from './node-process.ts';
import { startLoneApi, startProduct } from './product.ts';
import type { OwnProduct, Servers } from './product.ts';

/**
 * Starts two APIs and two workers on the same servers. Connections to the address of the product
 * alternate between the two APIs.
 */
export async function startTwoOfEach(servers: Servers): Promise<OwnProduct> {
  const front = await startBalancer();
  const env = { PUBLIC_URL: front.origin };
  const probed = { ...env, WORKER_PORT: '0' };
  const product = await startProduct(servers, probed).catch((error: unknown) => {
    front.close();
    throw error;
  });
  const unprobed = { ...product.environment, WORKER_PORT: '' };
  const worker = startNode('dist/worker/main.js', { env: unprobed });
  const api = await startLoneApi(product.environment, env);
  front.sendTo(product.origin, api.base);
  const base = `${front.origin}/v2`;
  return {
    ...product,
    base,
    origin: front.origin,
    admin: client(base, product.token),
    async close() {
      front.close();
      await Promise.all([product.close(), api.close(), worker.stop()]);
    },
  };
}

/** Listens on a free loopback port and forwards each connection to the next API. */
async function startBalancer() {
  let ports: number[] = [];
  let taken = 0;
  const server = createServer((socket) => {
    taken += 1;
    const other = connect(ports[taken % ports.length] ?? 0, '127.0.0.1');
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendTo(...addresses: string[]) {
      ports = addresses.map((address) => Number(new URL(address).port));
    },
    close: () => void server.close(),
  };
}
