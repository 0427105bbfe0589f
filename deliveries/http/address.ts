import ipaddr from 'ipaddr.js';

/** Networks that webhooks may reach although they are not public, in CIDR notation. */
export type AllowedNetworks = readonly string[];

/**
 * Why an address must not be contacted, or null if it may: it is publicly routable, or inside one
 * of the allowed networks (spec 7.12). An IPv4 address mapped into IPv6 counts as the IPv4 address;
 * what cannot be read as an address is refused.
 */
export function refusalOf(address: string, allowed: AllowedNetworks): string | null {
  if (!ipaddr.isValid(address)) return 'unreadable';
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'unicast') return null;
  return allowed.some((network) => contains(network, parsed)) ? null : range;
}

function contains(network: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}
