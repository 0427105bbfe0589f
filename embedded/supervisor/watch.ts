import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';

const SETTLE_MS = 200;

/** Calls `changed` once for a burst of changes below any of the folders, as an editor or a checkout makes them. */
export function watchSources(root: string, folders: readonly string[], changed: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders.map((name) => join(root, name)).filter((path) => existsSync(path))) {
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(changed, SETTLE_MS);
    });
  }
}
