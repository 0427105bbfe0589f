import { lookup, Resolver } from 'node:dns/promises';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** All addresses of a host name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** How many lookups may occupy the process' few threads for name services at once. */
const SYSTEM_LOOKUPS = 2;

/** How long the addresses of one family wait for those of the other. */
const OTHER_FAMILY_MS = 500;

const resolver = new Resolver({ timeout: 2_000, tries: 2 });
const waiting: (() => void)[] = [];
let running = 0;

/**
 * All addresses of a host name: from the name servers directly, and where these know none from the
 * system (hosts file, search domains). The system's lookup blocks a thread of a small pool while it
 * waits, so names that nobody answers for go through a narrow gate there and cannot hold up the
 * others.
 */
export async function resolveHost(hostname: string): Promise<ResolvedAddress[]> {
  const addresses = await resolveBothFamilies([
    resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
  ]);
  return addresses.length > 0 ? addresses : withLookupSlot(() => systemLookup(hostname));
}

/**
 * Returns what the lookups of both families find; a failed one finds nothing. Where one of them has
 * found addresses, the other one is awaited for a short time only: some name servers never answer
 * for IPv6.
 */
export async function resolveBothFamilies(lookups: Promise<ResolvedAddress[]>[]): Promise<ResolvedAddress[]> {
  const settled = lookups.map((one) => one.catch(() => []));
  const first = await Promise.any(settled.map(requireAddresses)).catch(() => []);
  const both = Promise.all(settled).then((found) => found.flat());
  return withTimeout(both, OTHER_FAMILY_MS, () => Promise.resolve(first));
}

async function requireAddresses(lookup: Promise<ResolvedAddress[]>): Promise<ResolvedAddress[]> {
  const found = await lookup;
  if (found.length === 0) throw new Error('No address was found.');
  return found;
}

async function systemLookup(hostname: string): Promise<ResolvedAddress[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

async function withLookupSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= SYSTEM_LOOKUPS) await new Promise<void>((enter) => waiting.push(enter));
  else running++;
  try {
    return await work();
  } finally {
    // The place goes to the next in line without becoming free in between.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
