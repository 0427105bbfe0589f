import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { NOT_DELETED } from '../queries/not-deleted.ts';
import { messageModel } from './messages.ts';

/** How many ids a conversation shows (spec 5.1). */
export const MAX_SHOWN = 1000;

/** Ids that a process remembers, of all conversations: some fifty bytes each. */
const MAX_REMEMBERED = 250_000;
/** What a server has lost in a failover, or a restored copy never had, is forgotten after this. */
const MAX_AGE_MS = 10 * 60_000;
/** Where more than this was deleted, it is cheaper to gather what was not. */
const MAX_DELETED = 2_000;

/** A conversation of which the ids are asked: `sequence` is the last number given in it. */
interface NumberedConversation {
  id: string;
  sequence: number;
}

/** The messages with the numbers from `from` on, without a gap, those deleted since too. */
interface IdRun {
  from: number;
  ids: readonly string[];
  until: number;
}

// A message keeps its number, also when it is deleted: what was once read of them stays true.
const runs = lruMap<string, IdRun>(MAX_REMEMBERED, ({ ids }) => ids.length);

/**
 * The ids of each conversation's processed messages, in order, the newest 1,000 if there are more.
 * Each is read from the store once in ten minutes; after that, what is new and what was deleted
 * (docs/decisions/ids-of-messages.md).
 */
export async function processedIds(
  conversations: NumberedConversation[],
): Promise<Map<string, readonly string[]>> {
  // Where none was given a number none is processed.
  const numbered = conversations.filter(({ sequence }) => sequence > 0);
  const deleted = await findDeletedIds(numbered);
  const shown = deleted
    ? async (one: NumberedConversation) => omitDeleted(deleted, await findNumberedIds(one))
    : (one: NumberedConversation) => readIds({ ...one, above: one.sequence - MAX_SHOWN }, NOT_DELETED);
  const ids = await Promise.all(numbered.map(shown));
  const found = new Map(numbered.map(({ id }, at) => [id, ids[at] ?? []]));
  return new Map(conversations.map(({ id }) => [id, found.get(id) ?? []]));
}

/** The ids of the newest 1,000 numbers, deleted or not, from what is remembered where it is. */
async function findNumberedIds({ id, sequence }: NumberedConversation): Promise<readonly string[]> {
  const first = Math.max(1, sequence - MAX_SHOWN + 1);
  const known = findCachedRun(id, { first, sequence });
  const above = known ? known.from + known.ids.length - 1 : first - 1;
  const added = above < sequence ? await readIds({ id, sequence, above }) : [];
  const ids = known ? known.ids.slice(first - known.from).concat(added) : added;
  // A commit comes before its rows: until all are there, none of them is remembered.
  if (added.length > 0 && above + added.length === sequence) {
    runs.set(id, { from: first, ids, until: known?.until ?? performance.now() + MAX_AGE_MS });
  }
  return ids;
}

function findCachedRun(
  id: string,
  { first, sequence }: { first: number; sequence: number },
): IdRun | undefined {
  const known = runs.get(id);
  if (!known || known.until < performance.now()) return undefined;
  const last = known.from + known.ids.length - 1;
  return known.from <= first && last >= first && last <= sequence ? known : undefined;
}

/** The ids with numbers above one and up to another, in order; one document holds them all. */
async function readIds(
  { id, sequence, above }: NumberedConversation & { above: number },
  only: Partial<typeof NOT_DELETED> = {},
): Promise<string[]> {
  const [found] = await messageModel.aggregate<{ messages: string[] }>([
    { $match: { conversation: id, sequence: { $gt: Math.max(0, above), $lte: sequence }, ...only } },
    { $sort: { conversation: 1, sequence: 1 } },
    { $project: { conversation: 1 } },
    { $group: { _id: '$conversation', messages: { $push: '$_id' } } },
  ]);
  return found?.messages ?? [];
}

/** Which messages of the conversations were deleted; null where there are too many to tell. */
async function findDeletedIds(conversations: NumberedConversation[]): Promise<Set<string> | null> {
  if (conversations.length === 0) return new Set();
  const found = await messageModel.collection
    .find(
      { conversation: { $in: conversations.map(({ id }) => id) }, deletedAt: { $exists: true } },
      { projection: { _id: 1 }, limit: MAX_DELETED + 1 },
    )
    .toArray();
  return found.length > MAX_DELETED ? null : new Set(found.map(({ _id }) => _id));
}

function omitDeleted(deleted: Set<string>, ids: readonly string[]): readonly string[] {
  return deleted.size === 0 ? ids : ids.filter((id) => !deleted.has(id));
}
