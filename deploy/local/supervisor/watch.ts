import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';

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
