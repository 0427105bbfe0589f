import { existsSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LineSink } from '../lines.ts';
import { projectRoot } from '../paths.ts';
import { launch } from '../program.ts';

const SETTLE_MS = 200;

/**
 * Calls `changed` once per burst of changes below the folders, one call at a time. `changed` must
 * not reject. Returns a function that stops watching.
 */
export function watchSources(
  root: string,
  folders: readonly string[],
  changed: () => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let done = Promise.resolve();
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      done = done.then(changed);
    }, SETTLE_MS);
  };
  const watchers = folders
    .map((name) => join(root, name))
    .filter((folder) => existsSync(folder))
    .map((folder) => watch(folder, { recursive: true }, settle));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/**
 * Builds changed sources and returns the names of the rebuilt parts
 * (deploy/local/prepare/build.mjs). Returns null if the build failed, which has printed the reason.
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
 * Returns the fingerprints of dist by part; empty after a failed build or during a build in another
 * terminal.
 */
async function readStamp(root: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(root, 'dist', '.stamp'), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
