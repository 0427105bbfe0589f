import { invalidRequest, notFound, unprocessable } from '../../../domain/errors.ts';
import { isBusinessEventName } from '../../../domain/events/business-event.ts';
import { isTimeZone } from '../../../domain/local-day.ts';
import { parseTimeOfDay, weeklyOpenMs } from '../../../domain/timers/hours.ts';
import type { Hours } from '../../../domain/timers/hours.ts';
import { MAX_AFTER_MS, parseAfter } from '../../../domain/timers/duration.ts';
import { MAX_TIMERS } from '../../../domain/timers/bounds.ts';
import { assertNoParameters } from '../../../domain/query/query-string.ts';
import { idOf, object } from '../../../schema/kinds.ts';
import { findUsers } from '../../../store/accounts/users.ts';
import type { Reach } from '../../../store/queries/reach.ts';
import { findOrganization } from '../../../store/records/find-organizations.ts';
import { OrganizationTimer, organizationContext } from '../../../store/records/organizations.ts';
import { findTimersAlong } from '../../../store/records/timers.ts';
import type { StoredTimer } from '../../../store/records/timers.ts';
import type { ApiRequest, HandlerResult } from '../../request.ts';

export const ownedTimerSchema = object('OwnedTimer', 'A timer and its organization.', {
  ...OrganizationTimer.properties,
  organization: idOf(
    'organizations',
    'The organization of the timer: this organization, or an organization above it.',
  ),
});

/** GET /organizations/{id}/timers (spec 14.1): timers above the caller's organization included. */
export async function listTimers({ principal, id, querystring }: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(querystring);
  const found = await findOrganization(principal.reach, id);
  if (!found) throw notFound('The organization');
  const along = await findTimersAlong(found.path.split('#'));
  return { status: 200, body: along.map(({ organization, timer }) => ({ ...timer, organization })) };
}

const WEEK_MS = 7 * 24 * 3600_000;

/**
 * Throws DomainError `invalid_request` for a malformed timer, `unprocessable` for a user who is no
 * bot of the organization, equal names or too many timers. Accepts a user of a stored timer of the
 * organization or one above it. `above`: the organization above, of an organization that is not
 * stored yet.
 */
export async function assertValidTimers(
  timers: readonly StoredTimer[],
  { reach, ...place }: { reach: Reach } & ({ organization: string } | { above: string }),
): Promise<void> {
  if (timers.length === 0) return;
  timers.forEach((timer, at) => assertValidTimer(timer, `timers.${at}`));
  assertUniqueNames(timers);
  const isStored = 'organization' in place;
  const path = (await organizationContext(isStored ? place.organization : place.above))?.path ?? [];
  const along = await findTimersAlong(path);
  const own = isStored ? place.organization : undefined;
  assertFewTimers(
    timers,
    along.flatMap(({ organization, timer }) => (organization === own ? [] : timer)),
  );
  const found = await findUsers(reach, [...new Set(timers.map(({ user }) => user))]);
  const bots = found.filter(({ role, organization }) => role === 'bot' && path.includes(organization));
  const known = new Set([...bots.map(({ _id }) => _id), ...along.map(({ timer }) => timer.user)]);
  timers.forEach(({ user }, at) => {
    if (known.has(user)) return;
    throw unprocessable('is not a bot of the organization or of one above it', `timers.${at}.user`);
  });
}

function assertValidTimer({ after, hours, event }: StoredTimer, path: string): void {
  const afterMs = parseAfter(after);
  if (afterMs === undefined) {
    const rule =
      'must be milliseconds or an ISO 8601 duration such as PT30M or P2D, from 1 second to 400 days; months and years have no fixed length';
    throw invalidRequest(`${path}.after`, rule);
  }
  if (!isBusinessEventName(event)) throw invalidRequest(`${path}.event`, 'must be the name of an event');
  if (hours) assertValidHours(hours, { afterMs, path: `${path}.hours` });
}

function assertValidHours(hours: Hours, { afterMs, path }: { afterMs: number; path: string }): void {
  if (!isTimeZone(hours.timeZone)) {
    throw invalidRequest(`${path}.timeZone`, 'must be the name of a time zone such as Europe/Amsterdam');
  }
  hours.week.forEach(({ from, to }, at) => {
    if ((parseTimeOfDay(from) ?? 0) < (parseTimeOfDay(to) ?? 0)) return;
    const rule = 'must be later than `from`; hours over midnight are two entries, of which one ends at 24:00';
    throw invalidRequest(`${path}.week.${at}.to`, rule);
  });
  if ((afterMs / weeklyOpenMs(hours)) * WEEK_MS > MAX_AFTER_MS) {
    throw unprocessable('are so short that the timer would take longer than 400 days', path);
  }
}

function assertUniqueNames(timers: readonly StoredTimer[]): void {
  timers.forEach(({ name }, at) => {
    if (timers.findIndex((one) => one.name === name) === at) return;
    throw unprocessable('is the name of another timer', `timers.${at}.name`);
  });
}

function assertFewTimers(timers: readonly StoredTimer[], inherited: readonly StoredTimer[]): void {
  const names = new Set([...timers, ...inherited].map(({ name }) => name));
  if (names.size <= MAX_TIMERS) return;
  throw unprocessable(
    `must not be more than ${MAX_TIMERS}, including the timers of the organizations above`,
    'timers',
  );
}
