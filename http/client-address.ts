import ipaddr from 'ipaddr.js';

/**
 * Bits of an IPv6 address that say whose it is: whoever has one address has all that begin with the
 * same 64.
 */
const IPV6_OWNER_BITS = 64;

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
