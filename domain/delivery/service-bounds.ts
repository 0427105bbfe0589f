import { unprocessable } from '../refusal.ts';

/** Services that an organization may have together with the organizations above it (spec 7.1). */
export const MAX_SERVICES = 50;

/** Characters of event patterns that those services may have together. */
export const MAX_PATTERN_CHARACTERS = 64 * 1024;

/** A service as far as the bounds count it. */
export interface CountedService {
  organization: string;
  /** Patterns; absent: everything. */
  events?: readonly string[] | undefined;
}

/** An organization whose events a service may receive. */
export interface Recipient {
  /** Ids from the root to the organization itself. */
  path: readonly string[];
}

/**
 * Returns the organizations above an organization, and itself, whose services count together. The
 * root's services count by themselves: no tenant can use up what the operator may register.
 */
export function sharedQuotaPath(path: readonly string[]): readonly string[] {
  return path.length > 1 ? path.slice(1) : path;
}

/**
 * Throws DomainError `unprocessable` where a service would be one too many for an organization that
 * it receives events of. `recipients` are the organization of the service and those below it,
 * `others` the other services of all of them and of those above.
 */
export function assertRoomForService(others: readonly CountedService[], recipients: readonly Recipient[]) {
  const counts = sumByOrganization(others, () => 1);
  if (largestSum(counts, recipients) < MAX_SERVICES) return;
  throw unprocessable(
    `An organization has at most ${MAX_SERVICES} services, together with those of the organizations above it. Delete one first; this counts for the organizations below, too.`,
  );
}

/** Throws DomainError `unprocessable` where the patterns of a service would be too many. */
export function assertRoomForPatterns(
  service: CountedService,
  others: readonly CountedService[],
  recipients: readonly Recipient[],
): void {
  const most = largestSum(sumByOrganization(others, patternCharacters), recipients);
  if (most + patternCharacters(service) <= MAX_PATTERN_CHARACTERS) return;
  throw unprocessable(
    `are too many: an organization and those above it have at most ${MAX_PATTERN_CHARACTERS} characters of patterns together, and a shorter pattern covers more events`,
    'params.events',
  );
}

/** Returns how many characters the patterns of a service have. */
export function patternCharacters({ events = [] }: Pick<CountedService, 'events'>): number {
  return events.reduce((sum, pattern) => sum + pattern.length, 0);
}

function sumByOrganization(
  services: readonly CountedService[],
  size: (service: CountedService) => number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const service of services) {
    sums.set(service.organization, (sums.get(service.organization) ?? 0) + size(service));
  }
  return sums;
}

function largestSum(sums: ReadonlyMap<string, number>, recipients: readonly Recipient[]): number {
  const lines = recipients.map(({ path }) => sharedQuotaPath(path));
  return Math.max(0, ...lines.map((line) => line.reduce((sum, id) => sum + (sums.get(id) ?? 0), 0)));
}
