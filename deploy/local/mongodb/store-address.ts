import { lstat, mkdir, mkdtemp, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartProblem } from '../start-problem.ts';

/** Unix socket or loopback port of the embedded store. */
export type StoreAddress = { socket: string } | { port: number };

/**
 * Longest folder path in bytes: socket paths have at most 103 bytes on every system, and `mongod`
 * may create /mongodb-27017.sock in the folder.
 */
const LONGEST_FOLDER = 103 - '/mongodb-27017.sock'.length;

/**
 * Returns the socket of the store of DATA_DIR. The store has no password, so only this user may
 * reach the socket: `DATA_DIR/run/store.sock`. If that path is too long or its file system has no
 * sockets, the socket is in a private folder of the system's temporary folder, linked from
 * `DATA_DIR/run/sockets`. The caller must have closed DATA_DIR to other users and locked it.
 */
export async function chooseStoreAddress(dataDir: string): Promise<{ socket: string }> {
  const runDir = join(dataDir, 'run');
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  const folder = (await canHoldSocket(runDir)) ? runDir : await shortFolder(runDir);
  return { socket: join(folder, 'store.sock') };
}

export function hostInUri(at: StoreAddress): string {
  return 'socket' in at ? encodeURIComponent(at.socket) : `127.0.0.1:${at.port}`;
}

async function canHoldSocket(folder: string): Promise<boolean> {
  // `mongod` splits addresses at commas. The driver decodes a path twice.
  if (Buffer.byteLength(folder) > LONGEST_FOLDER || /[,%]/.test(folder)) return false;
  const path = join(folder, 'probe.sock');
  await rm(path, { force: true });
  const server = createServer();
  try {
    server.listen(path);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

/** Returns the folder that an earlier start created for this DATA_DIR, or a new one. */
async function shortFolder(runDir: string): Promise<string> {
  const link = join(runDir, 'sockets');
  // A copied DATA_DIR has a copied link, so the folder's name contains a hash of the original path.
  const digest = createHash('sha256').update(await realpath(runDir));
  const prefix = `parlance-${digest.digest('hex').slice(0, 12)}-`;
  const known = await readlink(link).catch(() => '');
  if (known.includes(prefix) && (await isClosed(known)) && (await canHoldSocket(known))) return known;
  await rm(link, { force: true });
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const folder = await mkdtemp(join(parent, prefix)).catch(() => undefined);
    if (folder === undefined) continue;
    if (await canHoldSocket(folder)) {
      await symlink(folder, link);
      return folder;
    }
    await rm(folder, { recursive: true });
  }
  throw new StartProblem(`Neither ${runDir} nor ${tmpdir()} can hold a Unix socket; set a shorter DATA_DIR.`);
}

async function isClosed(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}
