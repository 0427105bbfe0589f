import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP port on loopback that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const { port } = await listen(0, '127.0.0.1');
  return port;
}

/**
 * Whether `port` can be listened on at `host`. Other problems of the address (no such host) reject.
 */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  try {
    await listen(port, host);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

async function listen(port: number, host: string): Promise<AddressInfo> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return address;
}
