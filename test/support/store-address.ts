import type { NetConnectOpts } from 'node:net';

/** Converts a single-host `mongodb://` address to connect options for a proxy. */
export function storeAddress(uri: string): NetConnectOpts {
  const { hostname, port } = new URL(uri);
  const host = decodeURIComponent(hostname);
  return host.endsWith('.sock') ? { path: host } : { host, port: Number(port) };
}
