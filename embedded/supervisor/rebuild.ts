import { join } from 'node:path';
import type { LineSink } from '../lines.ts';
import { launch } from '../program.ts';
import { projectRoot } from '../project-root.ts';

/**
 * Builds what has changed, as `npm start` does before it begins. False when that failed; what it
 * printed says why.
 */
export async function rebuild(log: LineSink): Promise<boolean> {
  const prepare = join(projectRoot(), 'embedded', 'prepare.mjs');
  return (await launch({ command: process.execPath, args: [prepare] }, { onLine: log }).ended) === 'code 0';
}
