import type { Bar, ChannelFacts } from './channel-type.ts';

/** An address of a contact on a channel (spec 15.1). Times are ISO 8601 UTC. */
export interface Identity {
  service: string;
  touchpoint: string;
  /** The provider's id of the person: a number, an account, an address. */
  id: string;
  name?: string;
  /** Since when it is the contact's address on the service. */
  since: string;
  optedOutAt?: string;
  unreachableAt?: string;
}

export interface Person {
  profile: { telephone?: string; email?: string };
  identities?: readonly Identity[] | undefined;
}

/** A further identity replaces the oldest identity. */
export const MAX_IDENTITIES = 20;

type Channel = Pick<ChannelFacts, 'id' | 'type' | 'touchpoint'>;

/** Identifiers of the profile that are addresses on a touchpoint. */
const PROFILE_ADDRESSES: Readonly<Record<string, 'telephone' | 'email'>> = {
  sms: 'telephone',
  email: 'email',
};

/** Returns the service with the contact's address there and what bars it (spec 15.1). */
export function channelFacts({ id, type, touchpoint }: Channel, person: Person | null): ChannelFacts {
  const identity = findIdentity(person?.identities ?? [], id);
  const field = Object.hasOwn(PROFILE_ADDRESSES, touchpoint) ? PROFILE_ADDRESSES[touchpoint] : undefined;
  const address = identity?.id ?? (field && person?.profile[field]);
  const barred = identity && findBar(identity);
  return { id, type, touchpoint, ...(address ? { address } : {}), ...(barred ? { barred } : {}) };
}

/** Returns the contact's latest identity on a service. */
export function findIdentity(identities: readonly Identity[], service: string): Identity | undefined {
  const own = identities.filter((one) => one.service === service);
  return own.reduce<Identity | undefined>(
    (latest, one) => (latest && latest.since >= one.since ? latest : one),
    undefined,
  );
}

function findBar({ optedOutAt, unreachableAt }: Identity): Bar | undefined {
  if (optedOutAt !== undefined) return 'opted_out';
  return unreachableAt === undefined ? undefined : 'unreachable';
}

type IdentityName = Pick<Identity, 'service' | 'touchpoint' | 'id' | 'name'>;

/**
 * Adds an identity, or makes a known identity the latest on its service. A message from an identity
 * proves it reachable. Returns the same list if nothing changes.
 */
export function withIdentity(
  identities: readonly Identity[],
  { name, ...given }: IdentityName,
  now: string,
): readonly Identity[] {
  const known = identities.find((one) => isSame(one, given));
  const isNamed = name === undefined || known?.name === name;
  const isLatest = known !== undefined && findIdentity(identities, given.service) === known;
  if (isLatest && isNamed && known.unreachableAt === undefined) return identities;
  const { unreachableAt: _, ...before }: IdentityName & Partial<Identity> = known ?? given;
  const since = isLatest ? known.since : now;
  const others = identities.filter((one) => !isSame(one, given));
  return [...withinBound(others), { ...before, ...(name === undefined ? {} : { name }), since }];
}

function withinBound(identities: readonly Identity[]): readonly Identity[] {
  if (identities.length < MAX_IDENTITIES) return identities;
  const oldest = identities.reduce((a, b) => (a.since <= b.since ? a : b));
  return identities.filter((one) => one !== oldest);
}

/** Marks an identity, or removes the mark where `isSet` is false. Adds an unknown identity. */
export function withMark(
  identities: readonly Identity[],
  given: IdentityName,
  { bar, isSet, now }: { bar: Bar; isSet: boolean; now: string },
): readonly Identity[] {
  const known = identities.some((one) => isSame(one, given));
  const field = bar === 'opted_out' ? 'optedOutAt' : 'unreachableAt';
  if (!known && !isSet) return identities;
  return (known ? identities : withIdentity(identities, given, now)).map((one) => {
    if (!isSame(one, given) || isSet === (one[field] !== undefined)) return one;
    const { [field]: _, ...others } = one;
    return isSet ? { ...others, [field]: now } : others;
  });
}

/** Adds identities. Returns `kept` if it has them all. Above the bound, the latest stay. */
export function mergeIdentities(kept: readonly Identity[], given: readonly Identity[]): readonly Identity[] {
  const added = given.filter((one) => !kept.some((other) => isSame(one, other)));
  if (added.length === 0) return kept;
  return [...kept, ...added].sort((a, b) => (a.since < b.since ? 1 : -1)).slice(0, MAX_IDENTITIES);
}

export function identityKeys(identities: readonly Pick<Identity, 'service' | 'id'>[]): string[] {
  return identities.map(identityKey);
}

export function identityKey({ service, id }: Pick<Identity, 'service' | 'id'>): string {
  return `${service}:${id}`;
}

function isSame(one: Pick<Identity, 'service' | 'id'>, other: Pick<Identity, 'service' | 'id'>): boolean {
  return one.service === other.service && one.id === other.id;
}
