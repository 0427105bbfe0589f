import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Program } from '../program.ts';
import type { BinaryLookup } from '../resolution.ts';
import { StartProblem } from '../start-problem.ts';
import { resolveMongod } from './resolve.ts';
import { hostInUri } from './store-address.ts';
import type { StoreAddress } from './store-address.ts';
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
  /** How clients reach it where it listens. */
  uri: (at: StoreAddress) => string;
  program: (at: StoreAddress) => Program;
  /** Its data, a folder it wants to find there. */
  folder: string;
}

/**
 * Chooses the engine for the data in `dataDir`. Each has a folder of its own there. Data stays with
 * the engine that wrote it: one that appears or disappears with the network must not make all
 * conversations disappear. Rejects when that engine cannot be had any more.
 */
export async function chooseEngine(dataDir: string, search: BinaryLookup): Promise<Engine> {
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
    uri: (at) => `mongodb://${hostInUri(at)}/?directConnection=true&journal=true`,
    program: (at) => ({
      command: options.path,
      args: [
        ...['--dbpath', options.folder, ...listenArguments(at)],
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

/** A socket of `mongod` has mode 0700. The second argument keeps any other out of /tmp. */
function listenArguments(at: StoreAddress): string[] {
  if ('port' in at) return ['--port', String(at.port), '--bind_ip', '127.0.0.1'];
  return ['--bind_ip', at.socket, '--unixSocketPrefix', dirname(at.socket)];
}

function builtInStore(folder: string): Engine {
  return {
    name: 'built-in store',
    source: '@parlance/store-engine',
    uri: (at) => `mongodb://${hostInUri(at)}/`,
    program: (at) => storeProgram(folder, at),
    folder,
  };
}
