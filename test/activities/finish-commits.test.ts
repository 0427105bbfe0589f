import { expect, test } from 'vitest';
import { createEraseConversation } from '../../activities/erase-conversation.ts';
import { withStates } from '../../activities/commit.ts';
import { finishCommits, writeRows } from '../../activities/write-rows.ts';
import { createFileContents } from '../../store/files/contents.ts';
import { writeCommit } from '../../store/conversations/commits.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { findDelayedMessages, findSnapshot } from '../../store/conversations/stream.ts';
import { newId } from '../../store/queries/identifier.ts';
import { messageModel } from '../../store/conversations/messages.ts';
import { ensureRootOrganization } from '../../store/records/organizations.ts';
import { agent, conversation, draft, postAll } from '../support/conversations.ts';
import { useStore } from '../support/use-store.ts';

const NOW = new Date();

useStore();

function deps() {
  const logged: object[] = [];
  return {
    ...{ publicUrl: 'http://localhost:3000', deliveryShards: 4, notifyDeliveries: () => undefined },
    runTimerEvent: () => undefined,
    log: { warn: (facts: object) => void logged.push(facts) },
    logged,
  };
}

/**
 * Stores the commit of a conversation with one message, but not the rows of the commit, as if the
 * worker died before it wrote the rows. `commit` replaces the text of the commit. Returns the id of
 * the conversation.
 */
async function forgotten(text: string, { commit, delay = 0 }: { commit?: string; delay?: number } = {}) {
  const base = conversation({ id: newId(), slug: newId(), contact: newId(), version: 0 });
  const { changes, state } = postAll(base, agent, [{ ...draft(agent, { text, delay }), id: newId() }]);
  const next = { ...state, updatedAt: NOW.toISOString() };
  const whole = JSON.stringify({ base, changes, services: [] });
  await writeCommit({ base, next, results: [], commit: commit ?? whole });
  return base.id;
}

test('finishCommits logs an invalid commit and finishes the others', async () => {
  const broken = [
    await forgotten('torn', { commit: '{"base":{"id"' }),
    await forgotten('odd', { commit: '{"base":{"id":"1"},"changes":[7],"services":[]}' }),
  ];
  const whole = await Promise.all(['one', 'two', 'three'].map((text) => forgotten(text)));
  broken.push(await forgotten('empty', { commit: '{}' }));
  const told = deps();
  const between = { from: new Date(NOW.getTime() - 1), to: new Date(NOW.getTime() + 1) };
  expect(await finishCommits(told, between)).toEqual({ looked: 6, passedBy: 3 });
  const texts = await messageModel.find({ conversation: { $in: whole } }).lean();
  expect(texts.map(({ text }) => text).sort()).toEqual(['one', 'three', 'two']);
  expect(told.logged.map((facts) => (facts as { conversation: string }).conversation).sort()).toEqual(
    broken.sort(),
  );
  expect(JSON.stringify(told.logged)).not.toContain('torn');
});

test('a delayed message whose row is written after a stream has read its conversation is shown as typing', async () => {
  const id = await forgotten('soon', { delay: 60_000 });
  const isSettled = async () => (await findSnapshot(id))?.settled;
  expect(await isSettled()).toBe(false);
  await finishCommits(deps(), { from: new Date(NOW.getTime() - 1), to: new Date(NOW.getTime() + 1) });
  expect(await isSettled()).toBe(true);
  expect(
    await findDelayedMessages([(await conversationModel.findById(id).lean())?.pending[0]?.id ?? '']),
  ).toHaveLength(1);
});

test('a conversation with an invalid last commit can be erased', async () => {
  const id = await forgotten('torn', { commit: '{"base":{"id"' });
  const told = deps();
  const files = await createFileContents(undefined);
  const erasing = createEraseConversation({ ...told, files, eraseHistories: () => Promise.resolve() });
  const caller = { user: newId(), role: 'admin' as const, origin: 'message' as const };
  expect(await erasing.buryConversation({ id: newId(), conversation: id, caller })).toBe(true);
  await erasing.eraseConversation(id);
  await erasing.finishErasure(id);
  expect(await conversationModel.findById(id).lean()).toMatchObject({ erasedAt: expect.any(Date) });
  expect(told.logged).toHaveLength(1);
});

test('two concurrent attempts to write the rows of a commit write them once, and a later attempt writes them again', async () => {
  const base = conversation({ id: newId(), slug: newId(), contact: newId(), version: 0 });
  const { changes } = postAll(base, agent, [{ ...draft(agent, { text: 'once' }), id: newId() }]);
  const services = [{ id: newId(), organization: base.organization, status: 'active' as const }];
  let notices = 0;
  const counting = { ...deps(), notifyDeliveries: () => void (notices += 1) };
  const write = () => writeRows(counting, withStates({ base, changes, services }), []);
  await ensureRootOrganization({ id: base.organization, name: 'root' });
  await Promise.all([write(), write()]);
  expect(notices).toBe(1);
  await write();
  expect(notices).toBe(2);
});
