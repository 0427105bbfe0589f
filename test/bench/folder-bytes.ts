import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const BYTES_PER_BLOCK = 512;

export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  const files = stats.flatMap((one) => (one?.isFile() ? [one] : []));
  // Counts blocks if the system reports them, because a sparse file is longer than its data.
  const sizes = files.map(({ blocks, size }) => (Number.isFinite(blocks) ? blocks * BYTES_PER_BLOCK : size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
