import { chmod, lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo, ListenOptions, Server } from 'node:net';

/** The longest path of a socket that every system takes, in bytes. */
const LONGEST_SOCKET = 103;

/** A port of an address of this machine, or the path of a Unix socket. */
export type ListenAddress = { host: string; port: number } | { socket: string };

/**
 * Makes `server` listen and returns how clients reach it; the port is 0 for a socket. A socket that
 * a killed process has left is replaced. Rejects with an Error of one clear line where another
 * process listens there.
 */
export async function listen(server: Server, place: ListenAddress): Promise<{ uri: string; port: number }> {
  if ('socket' in place) {
    await listenOnSocket(server, place.socket);
    return { uri: `mongodb://${encodeURIComponent(place.socket)}/`, port: 0 };
  }
  const { host } = place;
  await startListening(server, place).catch((error: unknown) => {
    throw isInUse(error) ? new Error(`The port ${place.port} on ${host} is in use`) : error;
  });
  const { port } = server.address() as AddressInfo;
  return { uri: `mongodb://${host}:${port}/`, port };
}

async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (!path.endsWith('.sock')) throw new Error(`The socket ${path} does not end with .sock`);
  // MongoDB's driver decodes the path twice.
  if (path.includes('%')) throw new Error(`The path of the socket ${path} contains %`);
  // Longer ones are cut off silently: the socket would be elsewhere.
  if (Buffer.byteLength(path) > LONGEST_SOCKET)
    throw new Error(`The path of the socket ${path} is longer than ${LONGEST_SOCKET} bytes`);
  await startListening(server, { path }).catch(async (error: unknown) => {
    if (!isInUse(error)) throw error;
    await removeStale(path);
    await startListening(server, { path });
  });
  await chmod(path, 0o600);
}

/** Removes a socket that no process listens on. Rejects for everything else. */
async function removeStale(path: string): Promise<void> {
  if (!(await lstat(path)).isSocket()) throw new Error(`${path} is not a socket`);
  if (await isListenedOn(path)) throw new Error(`The socket ${path} is in use`);
  await rm(path, { force: true });
}

function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(true));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else reject(error);
    });
    socket.on('connect', () => socket.destroy());
  });
}

function startListening(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function isInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}
