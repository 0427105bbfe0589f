import { expect, test } from 'vitest';
import type { Change } from '../../domain/conversations/change.ts';
import { decideCancel, decideDue } from '../../domain/conversations/decide.ts';
import {
  findCachedMessages,
  cacheDelayedMessages,
  evictDelayedMessages,
  emptyDelayedMessageCache,
} from '../../domain/conversations/cached-messages.ts';
import { decideEdit } from '../../domain/messages/edit.ts';
import { agent, conversation, draft, id, later, postAll, secondAgent } from '../support/conversations.ts';

/** Posts several delayed messages at once. Returns the drafts and the decision. */
function waiting(texts: readonly string[]) {
  const drafts = texts.map((text) => draft(agent, { delay: 1000, text }));
  return { drafts, ...postAll(conversation(), agent, drafts) };
}

function holding(changes: readonly Change[]) {
  const held = emptyDelayedMessageCache();
  cacheDelayedMessages(held, changes);
  return held;
}

test('the cache of delayed messages returns them in the requested order', () => {
  const { drafts, changes } = waiting(['a', 'b', 'c']);
  const held = holding(changes);
  const asked = [2, 0].flatMap((at) => drafts[at] ?? []);
  expect(
    findCachedMessages(
      held,
      asked.map(({ id }) => id),
    ),
  ).toEqual(asked.map((message) => ({ caller: agent, message })));
});

test('the cache of delayed messages returns nothing if one of the requested messages is missing', () => {
  const { drafts, changes } = waiting(['a', 'b']);
  expect(findCachedMessages(holding(changes), [...drafts.map(({ id }) => id), id()])).toBeUndefined();
});

test('the cache of delayed messages drops a message that is processed, cancelled or edited', () => {
  const { drafts, changes, state } = waiting(['processed', 'cancelled', 'edited', 'left']);
  const held = holding(changes);
  const [processed, cancelled, edited, left] = drafts;
  if (!processed || !cancelled || !edited || !left) throw new Error('expected four messages');
  evictDelayedMessages(held, decideDue(state, [{ caller: agent, message: processed }], later(1000)).changes);
  evictDelayedMessages(held, decideCancel(state, cancelled.id, later(500)).changes);
  const edit = { id: id(), caller: secondAgent, stored: { message: edited, caller: agent } };
  evictDelayedMessages(
    held,
    decideEdit(state, { ...edit, edit: { text: 'other' }, now: later(500) }).changes,
  );
  for (const gone of [processed, cancelled, edited])
    expect(findCachedMessages(held, [gone.id])).toBeUndefined();
  expect(findCachedMessages(held, [left.id])).toHaveLength(1);
});

test('the cache of delayed messages keeps at most 32 KiB and reuses freed space', () => {
  const { drafts, changes, state } = waiting(Array.from({ length: 40 }, () => 'x'.repeat(1000)));
  const held = holding(changes);
  const isHeld = ({ id }: { id: string }) => findCachedMessages(held, [id]) !== undefined;
  const kept = drafts.filter(isHeld);
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.length).toBeLessThan(32);
  expect(held.bytes).toBeLessThanOrEqual(32 * 1024);
  evictDelayedMessages(
    held,
    kept.flatMap(({ id }) => decideCancel(state, id, later(500)).changes),
  );
  expect(held.bytes).toBe(0);
  cacheDelayedMessages(held, changes);
  expect(drafts.filter(isHeld)).toHaveLength(kept.length);
});
