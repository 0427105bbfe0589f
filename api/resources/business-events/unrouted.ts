import { DomainError } from '../../../domain/errors.ts';
import { didYouMean } from '../../../domain/suggestion.ts';
import { insertEvent } from '../../../store/records/business-events.ts';
import { countUnrouted } from '../../../store/records/find-events.ts';
import { eventTypeNames } from '../../../store/records/eventtypes.ts';
import { ttlCache } from '../../../store/queries/ttl-cache.ts';
import type { HandlerResult, Api } from '../../request.ts';
import { buildOutcomeResult } from './resource.ts';

/** What is kept of one caller's events that no type is for (spec 8.3). */
export const MAX_UNROUTED = 2_000;
const MAX_UNROUTED_BYTES = 16 * 1024 * 1024;

const KEPT = 'The event is kept: a retry runs it once there is one.';
const NOT_KEPT = 'The event was not kept: too many of yours wait for an event type already.';

// Counted anew after a few seconds, and by this process in between.
const unroutedUsage = ttlCache({ maxAgeMs: 5_000, max: 10_000, load: countUnrouted });
// Those of organizations above are not the sender's to see (spec 2.2).
const eventTypeNameCache = ttlCache({ maxAgeMs: 5_000, max: 1_000, load: eventTypeNames });

/**
 * Keeps an event that no event type is for, and answers 404 with the name that was probably meant:
 * it can be run once there is one. Where much of its caller's is kept already it is not, and the
 * answer says so.
 */
export async function storeUnrouted(
  event: Parameters<typeof insertEvent>[0],
  content: Parameters<typeof insertEvent>[1],
  api: Pick<Api, 'config'>,
): Promise<HandlerResult> {
  const hint = didYouMean(event.name, await eventTypeNameCache.get(event.organization)) || '.';
  const unknownTypeError = (end: string) =>
    new DomainError('not_found', `No event type has this name${hint} ${end}`);
  const bytes = Buffer.byteLength(content.body);
  const so = await unroutedUsage.get(event.createdBy ?? '');
  if (so.events >= MAX_UNROUTED || so.bytes + bytes > MAX_UNROUTED_BYTES) throw unknownTypeError(NOT_KEPT);
  so.events += 1;
  so.bytes += bytes;
  const { event: unrouted } = await insertEvent(event, content);
  return buildOutcomeResult(unrouted, api, unknownTypeError(KEPT));
}
