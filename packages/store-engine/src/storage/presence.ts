import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Damage, DamagedFolder } from './damage.ts';

const LOOK_EVERY_MS = 500;

/**
 * Calls `gone` when the data file in `folder` is no longer the one that is there now. The open file
 * goes on to take writes, and they would be gone with the process. Looks twice a second, until what
 * it answers is called.
 */
export function watchDataFile(folder: string, gone: (error: DamagedFolder) => void): () => void {
  const path = join(folder, 'data.mdb');
  const { ino, dev } = statSync(path);
  const look = async () => {
    const isThere = await stat(path).then(
      (now) => now.ino === ino && now.dev === dev,
      (error: unknown) => !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''),
    );
    if (isThere) return;
    clearInterval(timer);
    gone(
      new DamagedFolder(folder, new Damage('its file data.mdb was removed or replaced while it was used')),
    );
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
