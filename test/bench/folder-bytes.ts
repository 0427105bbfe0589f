import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const BYTES_PER_BLOCK = 512;

/** What the files of a folder occupy. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  const files = stats.flatMap((one) => (one?.isFile() ? [one] : []));
  // Blocks where the system counts them: a file may be longer than what is written of it.
  const sizes = files.map(({ blocks, size }) => (Number.isFinite(blocks) ? blocks * BYTES_PER_BLOCK : size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
