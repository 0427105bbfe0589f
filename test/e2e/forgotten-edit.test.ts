import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConversationActivities } from '../../activities/conversation.ts';
import { createSlugEncryption } from '../../application/posting/encryption.ts';
import { decideCancel } from '../../domain/conversations/decide.ts';
import type { Decision } from '../../domain/conversations/decide.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decideEdit } from '../../domain/messages/edit.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { findStoredMessage } from '../../store/conversations/processed-messages.ts';
import { newId } from '../../store/queries/identifier.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';

/**
 * The workflow caches the content of delayed messages. If a worker dies after the write of a change
 * and before its workflow task completes, the workflow forgets the change
 * (docs/decisions/commit.md). The tests write the change directly, without the workflow.
 */
let product: Product;
const activities = createConversationActivities({
  publicUrl: 'http://localhost:3000',
  deliveryShards: 4,
  notifyDeliveries: () => undefined,
  runTimerEvent: () => undefined,
  searchAttributes: [],
  slugs: createSlugEncryption('a secret of tests'),
  observeWait: () => undefined,
});
const now = () => new Date().toISOString();
const caller = { user: 'f'.repeat(24), role: 'admin' as const, origin: 'message' as const };

beforeAll(async () => {
  product = await sharedApi('forgotten_edit');
  await connectStore(product.environment['MONGODB_URI'] ?? '');
});
afterAll(async () => {
  await disconnectStore();
  await product.close();
});

/**
 * Creates a conversation with two delayed messages. A test then changes the messages only in the
 * store.
 */
async function waiting() {
  const { body } = await product.admin.post('/conversations', { messages: [{ text: 'said' }] });
  const said = ['first', 'second'].map((text) => ({ conversation: body.id, text, delay: 12_000 }));
  const posted = await product.admin.post('/messages', said);
  expect(posted.status).toBe(201);
  const loaded = await activities.load({ id: body.id });
  if (!loaded.state) throw new Error('expected a state');
  return { state: loaded.state, ids: (posted.body as { id: string }[]).map(({ id }) => id) };
}

async function forgotten(base: ConversationState, { changes }: Decision): Promise<void> {
  expect(await activities.persist({ base, changes })).toMatchObject({ outcome: 'stored' });
}

const processed = (conversation: string, count: number) =>
  eventually(async () => {
    const { body } = await product.admin.get(`/messages?conversation=${conversation}&sort=sequence`);
    const shown = body as { text: string; sequence: number }[];
    return shown.length >= count && shown.map(({ text, sequence }) => ({ text, sequence }));
  });

test.concurrent('a delayed message that was edited is processed with the new content, although the workflow forgot the stored edit', async () => {
  const { state, ids } = await waiting();
  const stored = await findStoredMessage(state.id, ids[0] ?? '');
  if (!stored) throw new Error('expected a message');
  const edit = { text: 'edited' };
  await forgotten(state, decideEdit(state, { id: newId(), caller, stored, edit, now: now() }));
  expect(await processed(state.id, 3)).toEqual([
    { text: 'said', sequence: 1 },
    { text: 'edited', sequence: 2 },
    { text: 'second', sequence: 3 },
  ]);
});

test.concurrent('a delayed message that was cancelled is not processed, although the workflow forgot the stored cancellation', async () => {
  const { state, ids } = await waiting();
  await forgotten(state, decideCancel(state, ids[0] ?? '', now()));
  expect(await processed(state.id, 2)).toEqual([
    { text: 'said', sequence: 1 },
    { text: 'second', sequence: 2 },
  ]);
});
