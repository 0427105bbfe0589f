import type { TestProject } from 'vitest/node';
import { startMongodb, startTemporal } from './embedded-servers.ts';
import { startServerPool } from './server-pool.ts';
import { temporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string;
    /** The address without a database name: each test file uses its own database. */
    mongodbUri: string;
    /** Address of the server in test/support/server-pool.ts. */
    serverPool: string;
  }
}

type RunServers = Awaited<ReturnType<typeof startServers>>;

/** The servers of the run, with the number of projects that use them. */
interface Shared {
  servers?: Promise<RunServers>;
  users: number;
}

/**
 * Starts one Temporal server and one MongoDB for the whole run, unless external servers are given.
 * Starts a server that starts shared products on request. Vitest loads this file once per project,
 * so the projects share state through the global object.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = sharedByProjects();
  shared.users += 1;
  const { addresses, close } = await (shared.servers ??= startServers());
  project.provide('temporalAddress', addresses.temporal);
  project.provide('mongodbUri', addresses.mongodb);
  project.provide('serverPool', addresses.desk);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete shared.servers;
    await close();
  };
}

function sharedByProjects(): Shared {
  const holder = globalThis as { parlanceTestServers?: Shared };
  return (holder.parlanceTestServers ??= { users: 0 });
}

async function startServers() {
  const folder = await temporaryFolder('parlance-run-');
  const log = (line: string) => {
    if (process.env['PARLANCE_TEST_LOG']) process.stdout.write(`${line}\n`);
  };
  const [temporal, mongodb] = await Promise.all([
    ownTemporal() ?? startTemporal({ uiPort: 'none', log }),
    ownMongodb() ?? startMongodb({ dataDir: folder.path, log }),
  ]);
  const desk = await startServerPool({ temporalAddress: temporal.address, mongodbUri: mongodb.uri });
  return {
    addresses: { temporal: temporal.address, mongodb: mongodb.uri, desk: desk.address },
    close: async () => {
      await desk.close();
      await Promise.all([temporal.close(), mongodb.close()]);
      await folder.remove();
    },
  };
}

/** Returns the external MongoDB for the whole suite, if MONGODB_URI is set. */
function ownMongodb() {
  const uri = process.env['MONGODB_URI'];
  return uri ? { uri, close: () => Promise.resolve() } : undefined;
}

/** Returns the external Temporal server if TEMPORAL_ADDRESS is set, as in test/cluster. */
function ownTemporal() {
  const address = process.env['TEMPORAL_ADDRESS'];
  return address ? { address, close: () => Promise.resolve() } : undefined;
}
