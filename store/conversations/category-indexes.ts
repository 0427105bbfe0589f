import { findCategoryIndex } from '../../domain/effects/setting.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { createSlices } from '../queries/slices.ts';
import { organizationContext } from '../records/organizations.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';

type Read = Pick<ConversationDocument, '_id' | 'category' | 'categoryIndex'>;

const BATCH = 200;

/**
 * Gives the conversations of an organization the present index of their category (spec 6.6). Calls
 * `proceed` after each batch, and stops if it returns false. Returns whether all were adapted.
 */
export async function recomputeCategoryIndexes(
  organization: string,
  proceed: () => Promise<boolean>,
): Promise<boolean> {
  const { categories = [] } = (await organizationContext(organization)) ?? {};
  const cursor = conversationModel.collection
    .find<Read>(
      { organization, category: { $exists: true }, ...NOT_DELETED },
      { projection: { category: 1, categoryIndex: 1 } },
    )
    .batchSize(BATCH);
  const slices = createSlices();
  let changed: ReturnType<typeof buildUpdate>[] = [];
  let read = 0;
  const write = async () => {
    const writes = changed.map((updateOne) => ({ updateOne }));
    changed = [];
    if (writes.length > 0) await conversationModel.collection.bulkWrite(writes, { ordered: false });
    return proceed();
  };
  try {
    for await (const conversation of cursor) {
      const index = findCategoryIndex(conversation, categories);
      if (index !== conversation.categoryIndex) changed.push(buildUpdate(conversation, index));
      await slices.rest();
      read += 1;
      if (read % BATCH === 0 && !(await write())) return false;
    }
  } finally {
    await cursor.close();
  }
  return write();
}

/** Writes nothing if the workflow has given the conversation another category since the read. */
function buildUpdate({ _id, category = '' }: Read, categoryIndex: number | undefined) {
  const update =
    categoryIndex === undefined ? { $unset: { categoryIndex: '' as const } } : { $set: { categoryIndex } };
  return { filter: { _id, category }, update };
}
