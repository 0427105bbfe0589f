import { lstat, mkdir, mkdtemp, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartProblem } from '../start-problem.ts';

/** The Unix socket, or the port of loopback, that the embedded store listens on. */
export type StoreAddress = { socket: string } | { port: number };

/**
 * The longest path of a folder for sockets, in bytes: a socket's path has at most 103 everywhere,
 * and `mongod` may create /mongodb-27017.sock in it.
 */
const LONGEST_FOLDER = 103 - '/mongodb-27017.sock'.length;

/**
 * Returns the socket that the store of DATA_DIR listens on. The store has no password, so only this
 * user can reach the socket: `DATA_DIR/run/store.sock`. Where that folder can hold no socket (its
 * path is too long, or its file system has no sockets), the socket is in a closed folder of the
 * system's temporary folder, which `DATA_DIR/run/sockets` links to. DATA_DIR has to be closed to
 * other users, and locked by the caller.
 */
export async function chooseStoreAddress(dataDir: string): Promise<{ socket: string }> {
  const runDir = join(dataDir, 'run');
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  const folder = (await canHoldSocket(runDir)) ? runDir : await shortFolder(runDir);
  return { socket: join(folder, 'store.sock') };
}

/** An address as the host of a `mongodb://` URI. */
export function hostInUri(at: StoreAddress): string {
  return 'socket' in at ? encodeURIComponent(at.socket) : `127.0.0.1:${at.port}`;
}

async function canHoldSocket(folder: string): Promise<boolean> {
  // `mongod` takes a list of addresses, which commas separate. The driver decodes a path twice.
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

/** The folder that an earlier start has made for the same DATA_DIR, or a new one. */
async function shortFolder(runDir: string): Promise<string> {
  const link = join(runDir, 'sockets');
  // A copy of DATA_DIR has a copy of the link: the name has the path that the folder belongs to.
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

/** Whether a folder is this user's, and closed to all others. */
async function isClosed(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}
