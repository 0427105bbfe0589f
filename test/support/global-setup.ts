import type { TestProject } from 'vitest/node';
import { startMongodb } from '../../deploy/local/mongodb.ts';
import { startTemporal } from '../../deploy/local/temporal.ts';
import { startServerPool } from './run-desk.ts';
import { temporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string;
    /** Without a database name: each test file names its own. */
    mongodbUri: string;
    /** Where test/support/run-desk.ts answers. */
    runDesk: string;
  }
}

type RunServers = Awaited<ReturnType<typeof startServers>>;

/** The servers of the run, and how many projects use them. */
interface Shared {
  servers?: Promise<RunServers>;
  users: number;
}

/**
 * One Temporal server and one MongoDB for the whole run, and one product where files ask for it.
 * Vitest loads this file once for each project: the projects share by the global object.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = sharedByProjects();
  shared.users += 1;
  const { addresses, close } = await (shared.servers ??= startServers());
  project.provide('temporalAddress', addresses.temporal);
  project.provide('mongodbUri', addresses.mongodb);
  project.provide('runDesk', addresses.desk);
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

/** A MongoDB that was started by somebody else: the whole suite runs against it. */
function ownMongodb() {
  const uri = process.env['MONGODB_URI'];
  return uri ? { uri, close: () => Promise.resolve() } : undefined;
}

/** A Temporal server that was started by somebody else, as test/cluster does. */
function ownTemporal() {
  const address = process.env['TEMPORAL_ADDRESS'];
  return address ? { address, close: () => Promise.resolve() } : undefined;
}
