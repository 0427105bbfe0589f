import ipaddr from 'ipaddr.js';
import { DomainError } from '../../domain/errors.ts';

/** Private networks that webhooks may reach, in CIDR notation. */
export type AllowedNetworks = readonly string[];

/** Metadata service of Azure. Other metadata services have no public address. */
const METADATA = '168.63.129.16/32';

/** Gateways forward packets to the IPv4 address in the last 32 bits (RFC 6052). */
const NAT64 = '64:ff9b::/96';
/** Deprecated. Includes `::` and `::1`. */
const IPV4_COMPATIBLE = '::/96';
/** First half of an ISATAP interface identifier. The IPv4 address of the receiver follows. */
const ISATAP = [0x0000_5efe, 0x0200_5efe];

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Returns null if webhooks may contact the address, otherwise its kind (spec 7.12). Checks the IPv4
 * address in an IPv4-mapped, NAT64 or ISATAP address.
 */
export function findAddressProblem(address: string, allowed: AllowedNetworks): string | null {
  if (!ipaddr.isValid(address)) return 'unreadable';
  const given = ipaddr.process(address);
  const reached = contains(NAT64, given) ? new ipaddr.IPv4(given.toByteArray().slice(-4)) : given;
  const range = classifyAddress(reached);
  if (range === 'unicast') return null;
  return allowed.some((network) => contains(network, given) || contains(network, reached)) ? null : range;
}

function classifyAddress(address: IpAddress): string {
  if (contains(METADATA, address)) return 'metadata';
  const range = address.range();
  if (range !== 'unicast' || address.kind() === 'ipv4') return range;
  if (contains(IPV4_COMPATIBLE, address)) return 'ipv4Compatible';
  const bytes = address.toByteArray();
  const identifier = Buffer.from(bytes).readUInt32BE(8);
  return ISATAP.includes(identifier) ? classifyAddress(new ipaddr.IPv4(bytes.slice(-4))) : range;
}

function contains(network: string, address: IpAddress): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}

interface WebhookTarget {
  origin: string;
  path: string;
  /** Header with the credentials of the url (spec 7.7). */
  authorization?: string | undefined;
}

/**
 * Throws DomainError `invalid_request` unless the text is an absolute http or https url. The error
 * never contains the url.
 */
export function parseTarget(text: string): WebhookTarget {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new DomainError('invalid_request', 'A webhook needs an absolute http or https url.');
  }
  const { username, password } = url;
  const credentials = `${decodeText(username)}:${decodeText(password)}`;
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    authorization: credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

export function withQuery(text: string, parameters: Record<string, string>): string {
  const url = new URL(text);
  const added = new URLSearchParams(parameters).toString();
  url.search = url.search ? `${url.search}&${added}` : added;
  return url.href;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
