import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../program.ts';
import type { Search } from '../resolution.ts';
import { StartProblem } from '../start-problem.ts';
import { resolveMongod } from './resolve.ts';
import { storeProgram } from './store-program.ts';

/**
 * What keeps the data: MongoDB itself, or the built-in store where there is none.
 */
export interface Engine {
  name: 'MongoDB' | 'built-in store';
  /** Absent for the built-in one, which is as old as the product. */
  version?: string;
  /** Where its program comes from. */
  source: string;
  /** How clients reach it on `port`. */
  uri: (port: number) => string;
  program: (port: number) => Program;
  /** Its data, a folder it wants to find there. */
  folder: string;
}

/**
 * Chooses the engine for the data in `dataDir`. Each has a folder of its own there. Data stays with
 * the engine that wrote it: one that appears or disappears with the network must not make all
 * conversations disappear. Rejects when that engine cannot be had any more.
 */
export async function chooseEngine(dataDir: string, search: Search): Promise<Engine> {
  const folders = { mongodb: join(dataDir, 'mongodb'), store: join(dataDir, 'store') };
  const [inMongodb, inStore] = [await hasData(folders.mongodb), await hasData(folders.store)];
  const named = Boolean(search.env['MONGOMS_SYSTEM_BINARY']?.trim());
  if (inStore && !inMongodb && !named) {
    search.log(
      `using the built-in store, which has written ${folders.store}; move that folder away to begin on MongoDB`,
    );
    return builtInStore(folders.store);
  }
  const found = await resolveMongod(search);
  if (!('reasons' in found)) {
    if (inStore) search.log(`the data of the built-in store in ${folders.store} is left alone and not shown`);
    return mongod({ ...found, folder: folders.mongodb });
  }
  const reasons = found.reasons.join('; ');
  if (inMongodb) {
    throw new StartProblem(
      `${folders.mongodb} was written by MongoDB, and there is no mongod to open it with (${reasons})`,
    );
  }
  search.log(`warning: no MongoDB to be had, using the built-in store (${reasons})`);
  return builtInStore(folders.store);
}

async function hasData(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

function mongod(options: { path: string; version: string; source: string; folder: string }): Engine {
  return {
    name: 'MongoDB',
    version: options.version,
    source: options.source,
    // A single mongod acknowledges before its journal is flushed, unless it is told to wait.
    uri: (port) => `mongodb://127.0.0.1:${port}/?directConnection=true&journal=true`,
    program: (port) => ({
      command: options.path,
      args: [
        ...['--dbpath', options.folder, '--port', String(port), '--bind_ip', '127.0.0.1'],
        ...[
          '--quiet',
          '--wiredTigerCacheSizeGB',
          '0.5',
          '--setParameter',
          'diagnosticDataCollectionEnabled=false',
        ],
      ],
    }),
    folder: options.folder,
  };
}

function builtInStore(folder: string): Engine {
  return {
    name: 'built-in store',
    source: '@parlance/store-engine',
    uri: (port) => `mongodb://127.0.0.1:${port}/`,
    program: (port) => storeProgram({ folder, port }),
    folder,
  };
}
