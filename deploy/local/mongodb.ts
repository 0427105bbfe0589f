import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './embedded-server.ts';
import type { ServerProcess } from './embedded-server.ts';
import type { LineSink } from './lines.ts';
import { chooseEngine } from './mongodb/engine.ts';
import type { Engine } from './mongodb/engine.ts';
import { waitForMongodb } from './mongodb/ready.ts';
import { chooseStoreAddress } from './mongodb/store-address.ts';

export interface MongodbOptions {
  /** Parent folder of the data. Absent: a temporary folder, removed by `close`. */
  dataDir?: string;
  log?: LineSink;
}

export interface MongodbServer extends ServerProcess {
  uri: string;
  engine: Pick<Engine, 'name' | 'version' | 'source'>;
}

/**
 * Starts an embedded MongoDB or the built-in store. Resolves when it is ready. The server exits
 * with this process at the latest.
 */
export async function startMongodb(options: MongodbOptions = {}): Promise<MongodbServer> {
  const log = options.log ?? (() => undefined);
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parlance-mongodb-')));
  const engine = await chooseEngine(dataDir, { env: process.env, log });
  await mkdir(engine.folder, { recursive: true });
  const address = await chooseStoreAddress(dataDir);
  const uri = engine.uri(address);
  const ready = (signal: AbortSignal) => waitForMongodb(uri, signal);
  const server = await startServer({ name: engine.name, program: engine.program(address), ready, log });
  return {
    ...server,
    uri,
    engine: {
      name: engine.name,
      source: engine.source,
      ...(engine.version === undefined ? {} : { version: engine.version }),
    },
    async close() {
      await server.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
