import type { ReportedConversation } from '../../domain/conversations/report.ts';
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
  { organization, since, until, withinMs }: ReportSearch,
  visit: (conversation: ReportedConversation) => boolean,
): Promise<void> {
  const end = performance.now() + withinMs;
  const slices = createSlices();
  // Excludes tombstones, which have no organization.
  const within = { organization: { $in: await organizationsWithin({ organization }) } };
  const cursor = conversationModel.collection
    .find({ ...within, createdAt: { $gte: since, $lt: until } }, { projection: FIELDS, maxTimeMS: withinMs })
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
