import type { Server, AddressInfo, ListenOptions } from 'node:net';
import { createServer, connect } from 'node:net';
import { abandonBuilds } from './commands/build-index.ts';
import { createCursors } from './commands/cursors.ts';
import { runCommand } from './commands/registry.ts';
import type { Store } from './commands/request.ts';
import { openCatalog } from './storage/catalog.ts';
import { openEnvironment } from './storage/open-environment.ts';
import type { ClientConnection } from './wire/connection.ts';
import { serveConnection } from './wire/connection.ts';
import type { Value } from './bson/value.ts';
import { compileFilter } from './query/filter.ts';
import type { StoredCollection, Index } from './storage/collection.ts';
import { removeMatching } from './commands/delete.ts';
import { chmod, lstat, rm } from 'node:fs/promises';

export interface StoreOptions {
  /** A missing folder is created. One process at a time can use the folder. */
  dataDir: string;
  /**
   * 127.0.0.1 by default. Clients do not authenticate: never use an address that others can reach.
   */
  host?: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /**
   * Path of a Unix socket to listen on instead of a port. It must end with `.sock`, as drivers
   * require. Only the user of this process may connect (mode 0600).
   */
  socket?: string;
  /** Pause between two removals of expired documents and idle cursors. Default: ten seconds. */
  sweepEveryMs?: number;
}

export interface RunningStore {
  uri: string;
  port: number;
  /** Finishes running commands, then closes all connections and the data file. */
  close(): Promise<void>;
}

/**
 * Starts the fallback store engine, which speaks the protocol of MongoDB 7.0. Rejects with a
 * one-line Error when the port, socket or folder is in use, or the folder is damaged.
 */
export async function startStore({
  dataDir,
  host = '127.0.0.1',
  port = 0,
  socket,
  sweepEveryMs = 10_000,
}: StoreOptions): Promise<RunningStore> {
  const environment = await openEnvironment(dataDir);
  const connections = new Set<ClientConnection>();
  try {
    const store: Store = {
      environment,
      catalog: openCatalog(environment),
      cursors: createCursors(),
      building: Promise.resolve(),
      startedAt: new Date(),
    };
    await abandonBuilds(store);
    const server = createStoreServer(store, connections);
    const expiry = startExpiry(store, sweepEveryMs);
    const place = await listen(server, socket === undefined ? { host, port } : { socket });
    return {
      ...place,
      close: async () => {
        await expiry.stop();
        await closeServer(server, connections);
        await environment.close();
      },
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

function createStoreServer(store: Store, connections: Set<ClientConnection>): Server {
  let count = 0;
  return createServer((socket) => {
    const connection = serveConnection(socket, {
      id: ++count,
      run: (request) => runCommand(store, request),
      report: (error) =>
        process.stderr.write(
          `store: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
        ),
    });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
}

async function closeServer(server: Server, connections: ReadonlySet<ClientConnection>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await Promise.all([...connections].map((connection) => connection.finish()));
  await closed;
}

const CURSOR_MS = 10 * 60_000;

function startExpiry(store: Store, everyMs: number): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => sweep(store))
      .catch((error: unknown) => process.stderr.write(`store: ${String(error)}\n`));
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function sweep(store: Store): Promise<void> {
  store.cursors.expire(Date.now() - CURSOR_MS);
  for (const collection of store.catalog.all()) {
    for (const index of collection.indexes) await expire(store, { collection, index });
  }
}

async function expire(
  store: Store,
  { collection, index }: { collection: StoredCollection; index: Index },
): Promise<void> {
  const field = index.fields[0]?.name;
  if (index.expireAfterSeconds === undefined || field === undefined) return;
  const before = new Date(Date.now() - index.expireAfterSeconds * 1000);
  const condition: Value = new Map([[field, new Map([['$lt', before]])]]);
  const partial = index.spec.get('partialFilterExpression');
  const filter = compileFilter(partial === undefined ? condition : new Map([['$and', [partial, condition]]]));
  await removeMatching(store, { target: { namespace: collection.namespace, filter }, limit: Infinity });
}

/** Longest path in bytes. Some operating systems truncate longer paths. */
const LONGEST_SOCKET = 103;

type ListenAddress = { host: string; port: number } | { socket: string };

/**
 * Replaces a Unix socket that a killed process left behind. Rejects with a one-line Error if the
 * port or socket is in use.
 */
async function listen(server: Server, place: ListenAddress): Promise<{ uri: string; port: number }> {
  if ('socket' in place) {
    await listenOnSocket(server, place.socket);
    return { uri: `mongodb://${encodeURIComponent(place.socket)}/`, port: 0 };
  }
  const { host } = place;
  await startListening(server, place).catch((error: unknown) => {
    throw isInUse(error) ? new Error(`The port ${place.port} on ${host} is in use`) : error;
  });
  const { port } = server.address() as AddressInfo;
  return { uri: `mongodb://${host}:${port}/`, port };
}

async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (!path.endsWith('.sock')) throw new Error(`The socket ${path} does not end with .sock`);
  // MongoDB's driver decodes the path twice.
  if (path.includes('%')) throw new Error(`The path of the socket ${path} contains %`);
  if (Buffer.byteLength(path) > LONGEST_SOCKET)
    throw new Error(`The path of the socket ${path} is longer than ${LONGEST_SOCKET} bytes`);
  await startListening(server, { path }).catch(async (error: unknown) => {
    if (!isInUse(error)) throw error;
    await removeStale(path);
    await startListening(server, { path });
  });
  await chmod(path, 0o600);
}

async function removeStale(path: string): Promise<void> {
  if (!(await lstat(path)).isSocket()) throw new Error(`${path} is not a socket`);
  if (await isListenedOn(path)) throw new Error(`The socket ${path} is in use`);
  await rm(path, { force: true });
}

function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(true));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else reject(error);
    });
    socket.on('connect', () => socket.destroy());
  });
}

function startListening(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function isInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}
