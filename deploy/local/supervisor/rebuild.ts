import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LineSink } from '../lines.ts';
import { launch } from '../program.ts';
import { projectRoot } from '../project-root.ts';

/**
 * Builds what has changed, as `npm start` does before it begins, and answers the names of the parts
 * that it built anew (deploy/local/prepare/build.mjs). `null` when that failed: what it printed
 * says why.
 */
export async function rebuild(log: LineSink): Promise<string[] | null> {
  const root = projectRoot();
  const before = await readStamp(root);
  const prepare = join(root, 'deploy/local/prepare.mjs');
  const end = await launch({ command: process.execPath, args: [prepare] }, { onLine: log }).ended;
  if (end !== 'code 0') return null;
  const after = await readStamp(root);
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

/**
 * What each part of dist was made from; nothing where the last build failed, or while a build in
 * another terminal writes it.
 */
async function readStamp(root: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(root, 'dist', '.stamp'), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
