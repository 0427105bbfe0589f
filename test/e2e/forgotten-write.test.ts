import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createConversationActivities } from '../../activities/conversation.ts';
import { createSlugEncryption } from '../../application/posting/encryption.ts';
import type { Effect } from '../../domain/conversations/change.ts';
import type { EndedWait } from '../../domain/conversations/waiting-times.ts';
import { decideAmend, decidePost } from '../../domain/conversations/decide.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import type { Post } from '../../domain/messages/post.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { loadConversation, writeCommit } from '../../store/conversations/commits.ts';
import { newId, newSlug } from '../../store/queries/identifier.ts';
import { storedOrganization } from '../support/stored-organization.ts';
import { messageModel } from '../../store/conversations/messages.ts';

/**
 * If a worker dies after the write of a commit and before its workflow task completes, the workflow
 * forgets its decision and decides again (docs/decisions/commit.md). The tests write the commits
 * directly in place of the workflow, so that the moment is exact.
 */
describe('a stored write that the workflow forgot', () => {
  const waits: EndedWait[] = [];
  const activities = createConversationActivities({
    publicUrl: 'http://localhost:3000',
    deliveryShards: 4,
    notifyDeliveries: () => undefined,
    runTimerEvent: () => undefined,
    searchAttributes: [],
    slugs: createSlugEncryption('a secret of tests'),
    observeWait: (ended) => waits.push(ended),
  });

  beforeAll(async () => {
    await connectStore(inject('mongodbUri'), { database: 'forgotten_write' });
    await ensureIndexes();
  });

  afterAll(() => disconnectStore());

  test('a stored write that the workflow forgot keeps its sequence, and the next write gets the next sequence', async () => {
    const state = await freshConversation();
    expect(await store(state, [draft('forgotten')])).toEqual({ outcome: 'stored' });
    // A workflow that forgot the first write decides on the same version again.
    const again = await store(state, [draft('later')]);
    expect(again).toMatchObject({ outcome: 'stale', state: { sequence: 1, version: state.version + 1 } });
    if (again.outcome !== 'stale' || !again.state) throw new Error('expected the stored state');
    expect(await store(again.state, [draft('later')])).toEqual({ outcome: 'stored' });
    expect(await numbered(state.id)).toEqual([
      [1, 'forgotten'],
      [2, 'later'],
    ]);
  });

  test('a workflow that forgot a stored write and writes the message again gets the sequence of the message, which is stored once', async () => {
    const state = await freshConversation();
    const message = draft('once');
    await store(state, [message]);
    const again = await store(state, [message]);
    if (again.outcome !== 'stale' || !again.state) throw new Error('expected the stored state');
    expect(again.recent).toContainEqual(expect.objectContaining({ id: message.id, sequence: 1 }));
    expect(await numbered(state.id)).toEqual([[1, 'once']]);
  });

  test('the missing message rows of a stored commit are written when the conversation is loaded', async () => {
    const state = await freshConversation();
    const { changes, state: next } = decide(state, [draft('no rows yet')]);
    await writeCommit({
      base: state,
      next,
      results: [],
      commit: JSON.stringify({ base: state, changes, services: [] }),
    });
    expect(await numbered(state.id)).toEqual([]);
    const loaded = await activities.load({ id: state.id });
    expect(loaded).toMatchObject({ state: { sequence: 1 } });
    expect(await numbered(state.id)).toEqual([[1, 'no rows yet']]);
  });

  test('a conversation keeps its slug, which is encrypted in workflows, even with another AUTH_SECRET', async () => {
    const { id, slug: sealed } = await freshConversation();
    const stored = async () => (await loadConversation(id)).state?.slug;
    const slug = await stored();
    expect(sealed).not.toContain(slug);
    const before = await activities.load({ id });
    if (!before.state) throw new Error('expected a state');
    expect(before.state.slug).toBe(sealed);
    const other = createSlugEncryption('another secret of tests').encrypt(slug ?? '');
    expect(other).not.toBe(sealed);
    await store({ ...before.state, slug: other }, [draft('after the change')]);
    expect(await stored()).toBe(slug);
    expect(await messageModel.findOne({ conversation: id }).lean()).toMatchObject({ conversationSlug: slug });
  });

  test('a stored message that the workflow forgot is found by its externalId', async () => {
    const state = await freshConversation();
    const first = { ...draft('first'), externalId: 'e-1' };
    await store(state, [first]);
    const { state: current } = await activities.load({ id: state.id });
    if (!current) throw new Error('expected a state');
    const second = await store(current, [{ ...draft('second'), externalId: 'e-1' }]);
    expect(second).toMatchObject({ outcome: 'stale' });
    expect(second.outcome === 'stale' && second.state && second.recent).toContainEqual(
      expect.objectContaining({ id: first.id, externalId: 'e-1', sequence: 1 }),
    );
  });

  test('two concurrent commits on the same version are not both stored: one is stored and the other is stale', async () => {
    const state = await freshConversation();
    const outcomes = await Promise.all([store(state, [draft('a')]), store(state, [draft('b')])]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['stale', 'stored']);
    expect(await numbered(state.id)).toHaveLength(1);
  });

  test('a wait that ends is counted once, also when the workflow forgot the stored commit', async () => {
    const state = await freshConversation();
    const now = new Date(Date.parse(state.createdAt) + 5_000).toISOString();
    const effects: Effect[] = [{ kind: 'status', status: 'closed' }];
    const { changes } = decideAmend(state, { id: newId(), by: newId(), effects, now });
    waits.length = 0;
    expect(await activities.persist({ base: state, changes })).toMatchObject({ outcome: 'stored' });
    expect(await activities.persist({ base: state, changes })).toMatchObject({ outcome: 'stale' });
    expect(waits).toEqual([{ wait: 'close', ms: 5_000 }]);
    expect((await activities.load({ id: state.id })).state).toMatchObject({ closedAt: now });
  });

  async function freshConversation(): Promise<ConversationState> {
    const id = newId();
    const create = {
      id,
      slug: newSlug(),
      organization: await storedOrganization(),
      createdBy: newId(),
      createdAt: new Date().toISOString(),
    };
    const { changes, state } = decidePost(null, post([], create), {
      now: create.createdAt,
      findKnown: () => undefined,
    });
    await activities.persist({ base: { ...state, eventSequence: 0 }, changes });
    const loaded = await activities.load({ id });
    if (!loaded.state) throw new Error('expected a state');
    return loaded.state;
  }

  function store(base: ConversationState, messages: MessageDraft[]) {
    return activities.persist({ base, changes: decide(base, messages).changes });
  }

  function decide(base: ConversationState, messages: MessageDraft[]) {
    return decidePost(base, post(messages), { now: new Date().toISOString(), findKnown: () => undefined });
  }

  async function numbered(conversation: string): Promise<[number | undefined, string][]> {
    const found = await messageModel.find({ conversation }).sort({ sequence: 1 }).lean();
    return found.map(({ sequence, text }) => [sequence, text]);
  }
});

function post(messages: MessageDraft[], create?: Post['create']): Post {
  const caller = { user: 'f'.repeat(24), role: 'admin' as const, origin: 'message' as const };
  return { caller, messages, ...(create ? { create } : {}) };
}

function draft(text: string): MessageDraft {
  return {
    id: newId(),
    slug: newSlug(),
    text,
    type: 'chat',
    role: 'agent',
    contentType: 'text/plain',
    isBackchannel: false,
    touchpoint: 'web',
    serviceType: 'provider_1',
    createdBy: 'f'.repeat(24),
    createdAt: new Date().toISOString(),
  };
}
