import { createRequire } from 'node:module';
import type { Program } from '../program.ts';
import { StartProblem } from '../start-problem.ts';
import type { StoreAddress } from './store-address.ts';

/**
 * The command that runs the built-in store on the data in `folder`. Nothing of its package is
 * loaded here. A StartProblem where the package is not installed or not built.
 */
export function storeProgram(folder: string, at: StoreAddress): Program {
  const place = 'socket' in at ? ['--socket', at.socket] : ['--port', String(at.port)];
  const args = ['--enable-source-maps', storeFile(), '--data-dir', folder, ...place];
  return { command: process.execPath, args };
}

function storeFile(): string {
  try {
    return createRequire(import.meta.url).resolve('@parlance/store-engine/main');
  } catch {
    throw new StartProblem('the built-in store (packages/store-engine) is not here: name a MONGODB_URI');
  }
}
