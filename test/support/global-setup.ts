import type { TestProject } from 'vitest/node';
import { startMongodb } from '../../embedded/mongodb.ts';
import { startTemporal } from '../../embedded/temporal.ts';
import { startRunDesk } from './run-desk.ts';
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

/**
 * One Temporal server and one MongoDB for the whole run, and one product where files ask for it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await temporaryFolder('parlance-run-');
  const log = (line: string) => {
    if (process.env['PARLANCE_TEST_LOG']) process.stdout.write(`${line}\n`);
  };
  const [temporal, mongodb] = await Promise.all([
    ownTemporal() ?? startTemporal({ uiPort: 'none', log }),
    ownMongodb() ?? startMongodb({ dataDir: folder.path, log }),
  ]);
  const desk = await startRunDesk({ temporalAddress: temporal.address, mongodbUri: mongodb.uri });
  project.provide('temporalAddress', temporal.address);
  project.provide('mongodbUri', mongodb.uri);
  project.provide('runDesk', desk.address);
  return async () => {
    await desk.close();
    await Promise.all([temporal.close(), mongodb.close()]);
    await folder.remove();
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
