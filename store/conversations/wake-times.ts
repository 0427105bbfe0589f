import { findWakeTime } from '../../domain/timers/timer.ts';
import type { TimedState } from '../../domain/timers/timer.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { organizationsWithin } from '../queries/reach.ts';
import { createSlices } from '../queries/slices.ts';
import { organizationTimers } from '../records/timers.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import type { Overdue, OverdueSearch } from './find-messages.ts';

/** Returns when the conversation's timers or its snooze need its workflow. */
export async function computeWakeAt(
  state: TimedState & Pick<ConversationDocument, 'organization'>,
): Promise<Date | undefined> {
  const at = findWakeTime(state, await organizationTimers(state.organization));
  return at === undefined ? undefined : new Date(at);
}

type WakeTime = Pick<ConversationDocument, '_id' | 'version'> & { wakeAt: Date | undefined };

function buildUpdate({ _id, version, wakeAt }: WakeTime) {
  const update = wakeAt ? { $set: { wakeAt } } : { $unset: { wakeAt: '' as const } };
  return { filter: { _id, version }, update };
}

/** Does nothing if the conversation has another version. */
export async function setWakeAt(wakeTime: WakeTime): Promise<void> {
  const { filter, update } = buildUpdate(wakeTime);
  await conversationModel.collection.updateOne(filter, update);
}

/** Returns the longest overdue conversations first. */
export async function findSleeping({ before, after, limit }: OverdueSearch): Promise<Overdue[]> {
  const found = await conversationModel
    .find({ wakeAt: { $lt: before, ...(after ? { $gt: after } : {}) }, ...NOT_DELETED }, { wakeAt: 1 })
    .sort({ wakeAt: 1, _id: 1 })
    .limit(limit)
    .lean<{ _id: string; wakeAt: Date }[]>();
  return found.map(({ _id, wakeAt }) => ({
    id: `${_id}-${wakeAt.getTime()}`,
    conversation: _id,
    dueAt: wakeAt,
  }));
}

const FIELDS = {
  organization: 1,
  category: 1,
  type: 1,
  touchpoints: 1,
  timing: 1,
  snoozedUntil: 1,
  version: 1,
  wakeAt: 1,
} as const;
type Read = Pick<ConversationDocument, keyof typeof FIELDS | '_id'>;

const BATCH = 200;

/**
 * Computes the times of all open conversations of an organization and of those below it. Calls
 * `proceed` after each batch, and stops if it returns false. Returns whether all were computed.
 */
export async function recomputeWakeTimes(
  organization: string,
  proceed: () => Promise<boolean>,
): Promise<boolean> {
  const within = { organization: { $in: await organizationsWithin({ organization }) } };
  const cursor = conversationModel.collection
    .find<Read>({ ...within, status: { $in: ['queued', 'active'] } }, { projection: FIELDS })
    .batchSize(BATCH);
  const slices = createSlices();
  let changed: WakeTime[] = [];
  let read = 0;
  const write = async () => {
    const writes = changed.map((one) => ({ updateOne: buildUpdate(one) }));
    changed = [];
    if (writes.length > 0) await conversationModel.collection.bulkWrite(writes, { ordered: false });
    return proceed();
  };
  try {
    for await (const { wakeAt: stored, ...conversation } of cursor) {
      const wakeAt = await computeWakeAt(conversation);
      const { _id, version } = conversation;
      if (wakeAt?.getTime() !== stored?.getTime()) changed.push({ _id, version, wakeAt });
      await slices.rest();
      read += 1;
      if (read % BATCH === 0 && !(await write())) return false;
    }
  } finally {
    await cursor.close();
  }
  return write();
}
