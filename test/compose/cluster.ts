import { commandsIn } from './commands.ts';
import type { Commands } from './commands.ts';
import { untilReady } from './commands.ts';

export interface Cluster extends Commands {
  origin: string;
  ready: () => Promise<void>;
}

/**
 * Returns the cluster started by `global-setup.ts`. The test files of this folder use the cluster
 * one after the other.
 */
export function theCluster(): Cluster {
  const folder = process.env['PARLANCE_TEST_COMPOSE'];
  const origin = process.env['PARLANCE_TEST_ORIGIN'];
  if (!folder || !origin) throw new Error('this runs by `npm run test:compose`');
  return { ...commandsIn(folder), origin, ready: () => untilReady(origin) };
}
