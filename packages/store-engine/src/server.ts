import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { abandonBuilds } from './commands/build-index.ts';
import { createCursors } from './commands/cursors.ts';
import { startExpiry } from './commands/expiry.ts';
import { runCommand } from './commands/registry.ts';
import type { Store } from './commands/request.ts';
import { openCatalog } from './storage/catalog.ts';
import { openEnvironment } from './storage/open-environment.ts';
import type { ClientConnection } from './wire/connection.ts';
import { serveConnection } from './wire/connection.ts';
import { listen } from './wire/listen.ts';

export interface StoreOptions {
  /** Where the data lives; made when missing. Only one process may use it at a time. */
  dataDir: string;
  /**
   * An address of this machine; the default is 127.0.0.1. There is no authentication: never an
   * address others can reach.
   */
  host?: string;
  /** 0, the default, takes a free one. */
  port?: number;
  /**
   * The path of a Unix socket to listen on instead of a port. It ends with `.sock`, by which
   * clients distinguish sockets from hosts. The socket is for this user alone (mode 0600).
   */
  socket?: string;
  /** How often expired documents and idle cursors are looked for; the default is ten seconds. */
  sweepEveryMs?: number;
}

export interface RunningStore {
  uri: string;
  /** 0 where it listens on a socket. */
  port: number;
  /** Finishes the commands under way, closes all connections and the files. */
  close(): Promise<void>;
}

/**
 * Starts the fallback store engine: a MongoDB 7.0 look-alike for one machine. Rejects with an Error
 * of one clear line when the port or socket is taken, or the data folder is in use or damaged.
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
