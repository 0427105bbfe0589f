import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversationActivities } from '../../activities/conversation.ts';
import { createSlugEncryption } from '../../application/posting/encryption.ts';
import { decideAmend } from '../../domain/conversations/decide.ts';
import type { Decision } from '../../domain/conversations/decide.ts';
import { decideEdit } from '../../domain/messages/edit.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { findStoredMessage } from '../../store/conversations/processed-messages.ts';
import { newId } from '../../store/queries/identifier.ts';
import { AMEND_UPDATE, EDIT_UPDATE, conversationWorkflowId } from '../../workflows/contract.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

/**
 * A worker may die after it writes a change with `If-Match` and before its workflow task completes.
 * The workflow then forgets the change and decides it again (docs/decisions/commit.md). The
 * condition must hold although the stored change has raised the version. The test writes the change
 * directly, so that the moment is exact.
 */
describe('a conditional change that is stored but that the workflow forgot', () => {
  let product: Product;
  let temporal: Client;
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
  const by = 'f'.repeat(24);
  const caller = { user: by, role: 'admin' as const, origin: 'message' as const };

  beforeAll(async () => {
    product = await sharedApi('forgotten_change');
    await connectStore(product.environment['MONGODB_URI'] ?? '');
    temporal = await createTemporalClient(product);
  });
  afterAll(async () => {
    await temporal.connection.close();
    await disconnectStore();
    await product.close();
  });

  async function conversation(): Promise<ConversationState> {
    const { body } = await product.admin.post('/conversations', { messages: [{ text: 'said' }] });
    const loaded = await activities.load({ id: body.id });
    if (!loaded.state) throw new Error('expected a state');
    return loaded.state;
  }

  async function forgotten(base: ConversationState, { changes }: Decision): Promise<void> {
    const result = await activities.persist({ base, changes, conditional: changes[0]?.id ?? '' });
    expect(result).toEqual({ outcome: 'stored' });
  }

  const update = (id: string, name: string, input: object) =>
    temporal.workflow.getHandle(conversationWorkflowId(id)).executeUpdate(name, { args: [input] });

  const versionOf = async (id: string) => (await activities.load({ id })).state?.version;

  test('a conditional change that is stored but that the workflow forgot succeeds when it is decided again, and is not made twice', async () => {
    const base = await conversation();
    const effects = [{ kind: 'replace' as const, fields: { name: 'mine' }, clear: [] }];
    const id = newId();
    await forgotten(base, decideAmend(base, { id, by, effects, now: now() }));
    const input = { by, effects, ifVersion: base.version };
    expect(await update(base.id, AMEND_UPDATE, { ...input, id })).toEqual({ done: true });
    expect(await versionOf(base.id)).toBe(base.version + 1);
    const others = { ...input, id: newId() };
    expect(await update(base.id, AMEND_UPDATE, others)).toEqual({ done: false, changed: true });
    expect((await product.admin.get(`/conversations/${base.id}`)).body.name).toBe('mine');
  });

  test('a conditional edit of a message succeeds when it is decided again, if the edit is stored but the workflow forgot it', async () => {
    const base = await conversation();
    const [message = ''] = (await product.admin.get(`/conversations/${base.id}`)).body.messages as string[];
    const stored = await findStoredMessage(base.id, message);
    if (!stored) throw new Error('expected a message');
    const id = newId();
    const edit = { text: 'mine' };
    await forgotten(base, decideEdit(base, { id, caller, stored, edit, now: now() }));
    const input = { message, caller, edit, ifStand: { sequence: 1 } };
    expect(await update(base.id, EDIT_UPDATE, { ...input, id })).toEqual({ done: true });
    expect(await versionOf(base.id)).toBe(base.version + 1);
    expect(await update(base.id, EDIT_UPDATE, { ...input, id: newId() })).toEqual({
      done: false,
      changed: true,
    });
  });
});
