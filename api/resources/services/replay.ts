import Type from 'typebox';
import type { Static } from 'typebox';
import { timeOf } from '../../../domain/query/values.ts';
import { notFound } from '../../../domain/refusal.ts';
import { oneOf, text } from '../../../schema/kinds.ts';
import { countPendingSince, redeliverAll } from '../../../store/delivery/replay.ts';
import { findService } from '../../../store/delivery/services.ts';
import { refuseInactive } from '../deliveries/retry.ts';
import type { Answer, ApiRequest } from '../../request.ts';
import { storeDate } from '../../../store/cluster/clock.ts';

const DONE = ['delivered', 'failed', 'skipped'] as const;
/** What has never arrived. */
const MISSED = ['failed', 'skipped'] as const;

export const replayInput = Type.Object({
  since: text({ max: 40 }),
  status: Type.Optional(oneOf(DONE)),
});

export const replaySchema = Type.Object({
  /** Queued by this request. */
  replayed: Type.Integer(),
  /** Pending anyway, of the same time. */
  pending: Type.Integer(),
});

/**
 * POST /services/{id}/replay: sends the stored bodies of everything since then again (spec 7.11):
 * what is done in the way named, else what has never arrived.
 */
export async function replayService({
  principal,
  id,
  body: { since, status },
}: ApiRequest<Static<typeof replayInput>>): Promise<Answer> {
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  refuseInactive(service);
  const statuses = status ? [status] : MISSED;
  const from = timeOf(since, 'since');
  const pending = await countPendingSince(service._id, from);
  const replayed = await redeliverAll(service._id, { since: from, statuses }, storeDate());
  return { status: 200, body: { replayed, pending } };
}
