import { lookup, Resolver } from 'node:dns/promises';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** All addresses of a host name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** How many lookups may occupy the process' few threads for name services at once. */
const SYSTEM_LOOKUPS = 2;

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
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer, at) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: FAMILIES[at] ?? 4 }))
      : [],
  );
  return addresses.length > 0 ? addresses : throughGate(() => systemLookup(hostname));
}

const FAMILIES = [4, 6] as const;

async function systemLookup(hostname: string): Promise<ResolvedAddress[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

async function throughGate<T>(work: () => Promise<T>): Promise<T> {
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
