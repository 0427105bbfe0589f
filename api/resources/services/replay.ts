import Type from 'typebox';
import type { Static } from 'typebox';
import { parseTime } from '../../../domain/query/values.ts';
import { notFound } from '../../../domain/refusal.ts';
import { TimeInput, about, object, oneOf } from '../../../application/schema/kinds.ts';
import { countPendingSince, redeliverAll } from '../../../store/delivery/replay.ts';
import { findService } from '../../../store/delivery/services.ts';
import { assertActiveService } from '../deliveries/retry.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { storeDate } from '../../../store/cluster/clock.ts';

const DONE = ['delivered', 'failed', 'skipped'] as const;
/** What has never arrived. */
const MISSED = ['failed', 'skipped'] as const;

export const replayInput = object('ReplayInput', 'What to send again.', {
  since: about(TimeInput, 'From when on: a time, ISO 8601.', '2026-03-14T00:00:00Z'),
  status: Type.Optional(
    about(oneOf(DONE), 'Those of this status; where absent, those that never arrived.', 'failed'),
  ),
});

export const replaySchema = object('Replay', 'What is sent again.', {
  replayed: about(Type.Integer(), 'How many were queued by this request.', 3),
  pending: about(Type.Integer(), 'How many of the same time were pending anyway.', 0),
});

/**
 * POST /services/{id}/replay: sends the stored bodies of everything since then again (spec 7.11):
 * what is done in the way named, else what has never arrived.
 */
export async function replayService({
  principal,
  id,
  body: { since, status },
}: ApiRequest<Static<typeof replayInput>>): Promise<HandlerResult> {
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  assertActiveService(service);
  const statuses = status ? [status] : MISSED;
  const from = parseTime(since, 'since');
  const pending = await countPendingSince(service._id, from);
  const replayed = await redeliverAll(service._id, { since: from, statuses }, storeDate());
  return { status: 200, body: { replayed, pending } };
}
