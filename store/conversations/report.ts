import type { ReplyCounts, ReportedConversation } from '../../domain/conversations/report.ts';
import { SPOKEN_TYPES } from '../../domain/messages/message.ts';
import { deliveryModel } from '../delivery/deliveries.ts';
import { messageModel } from './messages.ts';
import { conversationModel } from './conversations.ts';
import { rethrowTooLong, SearchTooLong } from '../queries/listing.ts';
import { organizationsWithin } from '../queries/reach.ts';
import { createSlices } from '../queries/slices.ts';

const FIELDS = {
  createdAt: 1,
  status: 1,
  category: 1,
  touchpoints: 1,
  firstContactAt: 1,
  firstReplyAt: 1,
  acceptedAt: 1,
  closedAt: 1,
  rating: 1,
  'participants.user': 1,
  'participants.role': 1,
  'participants.accepted': 1,
} as const;

const BATCH = 500;

export interface ReportSearch {
  organization: string;
  since: Date;
  /** Exclusive. */
  until: Date;
  withinMs: number;
}

/** Reads in any order until `visit` returns false. Throws SearchTooLong after `withinMs`. */
export async function visitCreated(
  search: ReportSearch,
  visit: (conversation: ReportedConversation) => boolean,
): Promise<void> {
  const { withinMs } = search;
  const end = performance.now() + withinMs;
  const slices = createSlices();
  // Excludes tombstones, which have no organization.
  const cursor = conversationModel.collection
    .find(await findRange(search), { projection: FIELDS, maxTimeMS: withinMs })
    .batchSize(BATCH);
  try {
    for await (const conversation of cursor) {
      if (!visit(conversation)) return;
      const rest = slices.rest();
      if (rest) await rest;
      if (performance.now() > end) throw new SearchTooLong();
    }
  } catch (error) {
    rethrowTooLong(error);
  } finally {
    await cursor.close();
  }
}

const MAX_FAILING = 200;

/** Counts the replies to contacts that were written in the range. Throws SearchTooLong. */
export async function countReplies(search: ReportSearch): Promise<ReplyCounts> {
  const match = {
    ...(await findRange(search)),
    sequence: { $exists: true },
    type: { $in: [...SPOKEN_TYPES] },
    isBackchannel: { $ne: true },
  };
  const group = (role: string, by: string | null) =>
    messageModel.collection
      .aggregate<{ _id: string | null; count: number }>(
        [{ $match: { ...match, role } }, { $group: { _id: by, count: { $sum: 1 } } }],
        { maxTimeMS: search.withinMs },
      )
      .toArray();
  try {
    const [bots, agents] = await Promise.all([group('bot', null), group('agent', '$user')]);
    const agent = agents.reduce((sum, { count }) => sum + count, 0);
    const users = agents.flatMap(({ _id, count }): [string, number][] =>
      _id === null ? [] : [[_id, count]],
    );
    return { bot: bots[0]?.count ?? 0, agent, users: new Map(users) };
  } catch (error) {
    rethrowTooLong(error);
  }
}

/** Counts the failed deliveries of events of the range, by service. Throws SearchTooLong. */
export async function countFailures(
  search: ReportSearch,
): Promise<{ service: string; deliveries: number }[]> {
  const match = { ...(await findRange(search)), status: 'failed' };
  try {
    const found = await deliveryModel.collection
      .aggregate<{ _id: string; count: number }>(
        [{ $match: match }, { $group: { _id: '$service', count: { $sum: 1 } } }],
        { maxTimeMS: search.withinMs },
      )
      .toArray();
    return found
      .map(({ _id: service, count: deliveries }) => ({ service, deliveries }))
      .sort((a, b) => b.deliveries - a.deliveries || (a.service < b.service ? -1 : 1))
      .slice(0, MAX_FAILING);
  } catch (error) {
    rethrowTooLong(error);
  }
}

async function findRange({ organization, since, until }: ReportSearch) {
  const within = { organization: { $in: await organizationsWithin({ organization }) } };
  return { ...within, createdAt: { $gte: since, $lt: until } };
}
