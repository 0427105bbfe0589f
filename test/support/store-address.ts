import type { NetConnectOpts } from 'node:net';

/** Returns the options for a connection to the host of a `mongodb://` address with one host. */
export function storeAddress(uri: string): NetConnectOpts {
  const { hostname, port } = new URL(uri);
  const host = decodeURIComponent(hostname);
  return host.endsWith('.sock') ? { path: host } : { host, port: Number(port) };
}
