import type { NetConnectOpts } from 'node:net';

/** How a proxy reaches the store that a `mongodb://` address of one host names. */
export function storeAddress(uri: string): NetConnectOpts {
  const { hostname, port } = new URL(uri);
  const host = decodeURIComponent(hostname);
  return host.endsWith('.sock') ? { path: host } : { host, port: Number(port) };
}
