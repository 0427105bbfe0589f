import ipaddr from 'ipaddr.js';

/**
 * Bits of an IPv6 address that say whose it is: whoever has one address has all that begin with the
 * same 64.
 */
const IPV6_OWNER_BITS = 64;

/** Headers that a proxy adds, and a browser does not send. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Returns whether a request came from this machine, past no proxy: `address` is the peer of its
 * connection. A proxy on this machine that adds no header looks like a browser.
 */
export function isLocalRequest(
  address: string | undefined,
  headers: Readonly<Record<string, unknown>>,
): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const isFromHere = ipaddr.process(address).range() === 'loopback';
  return isFromHere && OF_PROXIES.every((name) => headers[name] === undefined);
}

/**
 * Whom an address belongs to, as one text however the address is written: an IPv4 address, also
 * where it is mapped into IPv6, or the /64 of an IPv6 address. What is no address is answered as it
 * is.
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
