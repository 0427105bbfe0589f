import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from '@temporalio/client';
import { makeNamespace } from './namespaces.ts';
import { startLoneApi, startProduct } from './product.ts';
import type { LoneApi, OwnProduct, Product, Servers } from './product.ts';
import { startTwoOfEach } from './two-of-each.ts';

/**
 * A product that nothing uses is stopped after this time, because an idle product takes a tenth of
 * a core from other tests.
 */
const IDLE_TIMEOUT_MS = 20_000;

/** The addresses and the environment of the shared product. `token` belongs to the first admin. */
export type SharedAddress = Pick<Product, 'base' | 'origin' | 'token' | 'environment'>;

/**
 * Serves requests from the processes that run test files. `/namespaces/NAME` creates a namespace.
 * `/shared/join` returns the address of the shared product, and starts the product if needed.
 * `/shared/second-api` starts another API process of this product. `/shared/leave` stops the
 * product some time after its last user has left. Paths below `/two-of-each` do the same for a
 * product of two APIs and two workers.
 */
export async function startServerPool(servers: { temporalAddress: string; mongodbUri: string }) {
  const connection = await Connection.connect({ address: servers.temporalAddress });
  const named = (name: string, start: (servers: Servers) => Promise<OwnProduct>) =>
    createShared(async () => {
      await makeNamespace(connection, name);
      return start({ ...servers, database: name, namespace: name });
    });
  const products = {
    shared: named('shared', startProbed),
    'two-of-each': named('two-of-each', startTwoOfEach),
  };

  async function answer(path: string): Promise<object> {
    const [, room = '', name = ''] = path.split('/');
    if (room === 'namespaces') {
      await makeNamespace(connection, name);
      return {};
    }
    const product = products[room as keyof typeof products];
    if (name === 'join') return product.join();
    if (name === 'second-api') return product.second();
    product.leave();
    return {};
  }

  const desk = await serveServerPool(answer);
  return {
    address: desk.address,
    async close() {
      desk.close();
      await Promise.all(Object.values(products).map((product) => product.end()));
      await connection.close();
    },
  };
}

/** Starts a product whose worker serves health probes on a free port, WORKER_PORT. */
function startProbed(servers: Servers): Promise<OwnProduct> {
  return startProduct(servers, { WORKER_PORT: '0' });
}

/** Listens on a free loopback port for the processes that run test files. */
export async function serveServerPool(answer: (path: string) => Promise<object>) {
  const server = createServer((request, response) => {
    answer(request.url ?? '').then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  // Only clients close idle connections: a request on a connection that the server closes fails.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Creates a shared product that runs while it has users, and some time longer. `startApi` starts
 * another API process of the product.
 */
export function createShared(
  start: () => Promise<Pick<OwnProduct, 'base' | 'origin' | 'token' | 'environment' | 'close'>>,
  startApi: (environment: NodeJS.ProcessEnv) => Promise<Pick<LoneApi, 'base' | 'close'>> = startLoneApi,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
) {
  let product: ReturnType<typeof start> | undefined;
  let secondApi: ReturnType<typeof startApi> | undefined;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;

  // After a failed start, the next call tries to start the product again.
  const running = () =>
    (product ??= start().catch((error: unknown) => {
      product = undefined;
      throw error;
    }));

  const runningSecond = (environment: NodeJS.ProcessEnv) =>
    (secondApi ??= startApi(environment).catch((error: unknown) => {
      secondApi = undefined;
      throw error;
    }));

  async function end(): Promise<void> {
    const [api, ended] = [secondApi, product];
    secondApi = product = undefined;
    await (await api)?.close();
    await (await ended)?.close();
  }

  return {
    async join(): Promise<SharedAddress> {
      users += 1;
      clearTimeout(idle);
      const { base, origin, token, environment } = await running();
      return { base, origin, token, environment };
    },
    async second(): Promise<{ base: string }> {
      const { environment } = await running();
      return { base: (await runningSecond(environment)).base };
    },
    leave(): void {
      users -= 1;
      if (users > 0) return;
      idle = setTimeout(() => {
        end().catch((error: unknown) => console.error('a shared product did not stop:', error));
      }, idleTimeoutMs);
    },
    end(): Promise<void> {
      clearTimeout(idle);
      return end();
    },
  };
}
