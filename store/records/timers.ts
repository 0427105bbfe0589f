import { createHash } from 'node:crypto';
import { parseAfter } from '../../domain/timers/duration.ts';
import { MAX_TIMERS } from '../../domain/timers/bounds.ts';
import type { Timer, TimerList } from '../../domain/timers/timer.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { organizationContext, organizationModel } from './organizations.ts';
import type { OrganizationDocument } from './organizations.ts';

export type StoredTimer = NonNullable<OrganizationDocument['timers']>[number];

/** A conversation may follow an outdated list for this long. */
const MAX_AGE_MS = 5_000;

const timerLists = ttlCache<TimerList>({ maxAgeMs: MAX_AGE_MS, max: 10_000, load: loadTimers });

/**
 * Returns the timers of an organization, with inherited ones (spec 14.1), at most five seconds
 * old.
 */
export async function organizationTimers(id: string): Promise<TimerList> {
  return timerLists.get(id);
}

export interface OwnedTimer {
  organization: string;
  timer: StoredTimer;
}

/** Returns the stored timers of an organization and of those above it, the nearest first. */
export async function findTimersAlong(path: readonly string[]): Promise<OwnedTimer[]> {
  const found = await organizationModel
    .find({ _id: { $in: [...path] } }, { timers: 1 })
    .lean<{ _id: string; timers?: OrganizationDocument['timers'] }[]>();
  const near = ({ _id }: { _id: string }) => path.indexOf(_id);
  return found
    .sort((a, b) => near(b) - near(a))
    .flatMap(({ _id, timers = [] }) => timers.map((timer) => ({ organization: _id, timer })));
}

async function loadTimers(id: string): Promise<TimerList> {
  const context = await organizationContext(id);
  const along = await findTimersAlong(context?.path ?? [id]);
  const timers = mergeTimers(along.map(({ timer }) => timer));
  if (timers.length === 0) return { timers };
  const version = createHash('sha256').update(JSON.stringify(timers)).digest('base64url').slice(0, 12);
  return { version, timers };
}

/** The nearest timer of a name replaces the others. */
export function mergeTimers(stored: readonly StoredTimer[]): Timer[] {
  const names = new Set<string>();
  const nearest = stored.filter(({ name }) => !names.has(name) && names.add(name));
  return nearest.flatMap((timer) => (timer.disabled ? [] : toTimer(timer))).slice(0, MAX_TIMERS);
}

function toTimer({ disabled: _, after, ...timer }: StoredTimer): Timer[] {
  const afterMs = parseAfter(after);
  return afterMs === undefined ? [] : [{ ...timer, afterMs }];
}
