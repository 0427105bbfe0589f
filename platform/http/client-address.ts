import ipaddr from 'ipaddr.js';

/** A client usually controls a whole /64 network. */
const IPV6_OWNER_BITS = 64;

const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Returns whether this machine sent a request, or a local proxy that adds no header. */
export function isLocalRequest(
  address: string | undefined,
  headers: Readonly<Record<string, unknown>>,
): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const isFromHere = ipaddr.process(address).range() === 'loopback';
  return isFromHere && OF_PROXIES.every((name) => headers[name] === undefined);
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface TrustedProxies {
  /** The number of proxies, or their networks in CIDR notation. */
  trusted: number | readonly string[];
  /** Lower case. Other headers are ignored: a proxy passes on those that it does not set. */
  header?: string | undefined;
}

/**
 * Returns the client's address that trusted proxies give. Clients can forge all entries before it.
 * `peer`: the address at the other end of the connection.
 */
export function forwardedAddress(
  headers: Headers,
  { trusted, header }: TrustedProxies,
  peer = '',
): string | undefined {
  const given = (name: string) => [headers[name] ?? []].flat().join(',');
  const listed = (name: string) => (name === 'forwarded' ? forwardedFor(given(name)) : given(name));
  const entries = header ? listed(header) : listed('x-forwarded-for') || listed('forwarded');
  const hops = entries.split(',');
  if (typeof trusted === 'number') return parseForwarded(hops.slice(-trusted)[0] ?? '');
  if (!isWithinNetworks(peer, trusted)) return undefined;
  const at = hops.findLastIndex((hop) => !isWithinNetworks(parseForwarded(hop) ?? '', trusted));
  return parseForwarded(hops[Math.max(0, at)] ?? '');
}

/** See RFC 7239. */
function forwardedFor(header: string): string {
  if (header === '') return '';
  return header
    .split(',')
    .map((hop) => /(?:^|;)\s*for\s*=\s*"?([^";]*)/i.exec(hop)?.[1] ?? '')
    .join(',');
}

const WITH_PORT = /^(?:\[([^\]]+)\](?::[\w.-]+)?|([^:]+):[\w.-]+)$/;

function parseForwarded(text: string): string | undefined {
  const trimmed = text.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, plain] = WITH_PORT.exec(trimmed) ?? [];
  const address = (bracketed ?? plain ?? trimmed).replace(/%.*$/, '');
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}

/** Returns whether a network in CIDR notation contains the address, or its IPv4-mapped form. */
export function isWithinNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}

/**
 * Returns the IPv4 address, also of an IPv4-mapped IPv6 address, or the /64 network of another IPv6
 * address. Returns invalid text unchanged.
 */
export function addressOwner(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(
    `${new ipaddr.IPv6(parsed.toByteArray()).toString()}/${IPV6_OWNER_BITS}`,
  );
  return `${network.toString()}/${IPV6_OWNER_BITS}`;
}
