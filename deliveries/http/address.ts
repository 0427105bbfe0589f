import ipaddr from 'ipaddr.js';
import { DomainError } from '../../domain/errors.ts';

/** Networks that webhooks may reach although they are not public, in CIDR notation. */
export type AllowedNetworks = readonly string[];

/**
 * Public addresses at which clouds serve the metadata of a machine. Other clouds use addresses that
 * are link-local, private or reserved: 169.254.0.0/16, 100.100.100.200, 192.0.0.192, fd00:ec2::/32.
 */
const METADATA = [
  // Azure: the platform's own services, as seen by each machine.
  '168.63.129.16/32',
];

/** NAT64: gateways send packets on to the IPv4 address in the last 32 bits (RFC 6052). */
const NAT64 = '64:ff9b::/96';
/** IPv4-compatible IPv6, deprecated. The range also holds `::` and `::1`. */
const IPV4_COMPATIBLE = '::/96';
/** Interface identifiers of ISATAP, which end with the IPv4 address that packets are sent to. */
const ISATAP = [0x0000_5efe, 0x0200_5efe];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Returns why an address must not be contacted, or null if it may: it is publicly routable, or
 * inside one of the allowed networks (spec 7.12). An IPv4 address that is mapped into IPv6, or
 * reached through NAT64, counts as the IPv4 address. Text that is not an address is refused.
 */
export function findAddressProblem(address: string, allowed: AllowedNetworks): string | null {
  if (!ipaddr.isValid(address)) return 'unreadable';
  const given = ipaddr.process(address);
  const reached = behindNat64(given);
  const range = classifyAddress(reached);
  if (range === 'unicast') return null;
  return allowed.some((network) => contains(network, given) || contains(network, reached)) ? null : range;
}

function behindNat64(address: Address): Address {
  return contains(NAT64, address) ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

function classifyAddress(address: Address): string {
  if (METADATA.some((network) => contains(network, address))) return 'metadata';
  const range = address.range();
  if (range !== 'unicast' || address.kind() === 'ipv4') return range;
  if (contains(IPV4_COMPATIBLE, address)) return 'ipv4Compatible';
  const bytes = address.toByteArray();
  const identifier = Buffer.from(bytes).readUInt32BE(8);
  return ISATAP.includes(identifier) ? classifyAddress(new ipaddr.IPv4(bytes.slice(-4))) : range;
}

function contains(network: string, address: Address): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}

/** Where a webhook goes, taken apart for the request. */
interface WebhookTarget {
  origin: string;
  /** Path and query. */
  path: string;
  /**
   * From credentials in the url (spec 7.7): they are sent as a header, never as part of an address.
   */
  authorization?: string;
}

/**
 * Throws DomainError `invalid_request` unless the text is an absolute http or https url. The
 * message never repeats it.
 */
export function checkWebhookUrl(text: string): void {
  parseTarget(text);
}

/**
 * Takes a webhook's url apart. Throws DomainError `invalid_request` unless it is an absolute http
 * or https url.
 */
export function parseTarget(text: string): WebhookTarget {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new DomainError('invalid_request', 'A webhook needs an absolute http or https url.');
  }
  const { username, password } = url;
  const authorization =
    username || password
      ? { authorization: basicAuthorization(decodeText(username), decodeText(password)) }
      : {};
  return { origin: url.origin, path: `${url.pathname}${url.search}`, ...authorization };
}

/** The url with more query parameters, its own kept as they are. */
export function withQuery(text: string, parameters: Record<string, string>): string {
  const url = new URL(text);
  const added = new URLSearchParams(parameters).toString();
  url.search = url.search ? `${url.search}&${added}` : added;
  return url.href;
}

function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
