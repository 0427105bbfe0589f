import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { newConversation } from '../../domain/conversations/conversation.ts';
import { FRESH_PARTICIPANT } from '../../domain/conversations/conversation.ts';
import { evolve } from '../../domain/conversations/evolve.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { pausedByOperator } from '../../domain/errors.ts';
import { noteDeparture } from '../../store/accounts/departures.ts';
import type { DepartureDocument } from '../../store/accounts/departures.ts';
import { insertFirstUser } from '../../store/accounts/users.ts';
import { loadConversation, writeCommit } from '../../store/conversations/commits.ts';
import { newId, newSlug } from '../../store/queries/identifier.ts';
import { createCooldown } from '../../platform/concurrency/cooldown.ts';
import { departuresTask } from '../../worker/departures.ts';
import type { AmendInput } from '../../workflows/contract.ts';
import { storedOrganization } from '../support/stored-organization.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const AT = new Date().toISOString();

async function addConversation(user: string, change: Partial<ConversationState> = {}): Promise<string> {
  const organization = await storedOrganization();
  const base = newConversation({
    ...{ id: newId(), organization, slug: newSlug(), createdBy: newId(), createdAt: AT },
  });
  const participants = [{ user, ...FRESH_PARTICIPANT, accepted: true, active: true }];
  const next = { ...base, status: 'active' as const, participants, ...change };
  await writeCommit({ base, next, results: [], commit: '{}' });
  return base.id;
}

async function load(id: string): Promise<ConversationState> {
  const { state } = await loadConversation(id);
  if (!state) throw new Error('The conversation is gone.');
  return state;
}

/** Stores the change as the workflow does. */
async function amend(id: string, { id: change, by, effects }: AmendInput): Promise<boolean> {
  const base = await load(id);
  const next = evolve(base, { kind: 'amended', id: change, at: AT, by, effects });
  return (
    (await writeCommit({ base, next: { ...next, version: base.version + 1 }, results: [], commit: '{}' })) !==
    null
  );
}

/** Moves the marks into the past. A later clock would also move the ids of other test files. */
async function ageMarks(ms: number): Promise<void> {
  const marks = mongoose.connection.collection<DepartureDocument>('departures');
  const before = (time: Date) => new Date(time.getTime() - ms);
  for (const { _id, at, dueAt } of await marks.find().toArray())
    await marks.updateOne({ _id }, { $set: { at: before(at), dueAt: before(dueAt) } });
}

/** Runs one round of a worker, `passedMs` after the previous round. */
async function sweep(passedMs: number, conversations: { amend: typeof amend } = { amend }): Promise<number> {
  await ageMarks(passedMs);
  const task = departuresTask(conversations);
  const found = await task.find(createCooldown(0));
  await Promise.all(found.map((one) => task.recover(one)));
  return found.length;
}

describe('the mark of a user who leaves', () => {
  test('a deletion whose process died is found later, and ends the participations in open and closed conversations', async () => {
    const user = newId();
    const [open, closed] = [await addConversation(user), await addConversation(user, { status: 'closed' })];
    const snoozed = await addConversation(user, { snoozedUntil: '2999-01-01T00:00:00.000Z' });
    await noteDeparture({ user, by: newId(), isOver: false });
    expect(await sweep(0)).toBe(0);
    expect(await sweep(31_000)).toBe(1);
    const left = [{ user, unreadCount: 0, accepted: false, active: false, inbox: false }];
    expect(await load(open)).toMatchObject({ status: 'queued', participants: left });
    expect(await load(closed)).toMatchObject({ status: 'closed', participants: left });
    expect(await load(snoozed)).toMatchObject({ status: 'active', participants: left });
    // The second search ends the mark.
    expect([await sweep(30_000), await sweep(139_000)]).toEqual([1, 0]);
  });

  test('a change that did not happen leaves the conversations as they were', async () => {
    const user = newId();
    const id = await addConversation(user);
    const { organization } = await load(id);
    const times = { createdAt: new Date(), updatedAt: new Date() };
    const fields = { email: `${user}@example.com`, role: 'agent' as const, meta: {}, ...times };
    await insertFirstUser({ _id: user, organization, createdBy: newId(), status: 'offline', ...fields });
    await noteDeparture({ user, by: newId(), isOver: false });
    expect(await sweep(61_000)).toBe(1);
    expect(await load(id)).toMatchObject({ status: 'active', participants: [{ accepted: true }] });
    expect(await sweep(139_000)).toBe(0);
  });

  test('a paused conversation does not hold up the others, and is tried again', async () => {
    const user = newId();
    const ids = [await addConversation(user), await addConversation(user), await addConversation(user)];
    const [paused = ''] = ids;
    await noteDeparture({ user, by: newId(), isOver: true });
    const withPause = {
      amend: (id: string, input: AmendInput) =>
        id === paused ? Promise.reject(pausedByOperator()) : amend(id, input),
    };
    expect(await sweep(0, withPause)).toBe(1);
    const statuses = async () => (await Promise.all(ids.map(load))).map(({ status }) => status);
    expect(await statuses()).toEqual(['active', 'queued', 'queued']);
    expect(await sweep(65_000)).toBe(1);
    expect(await statuses()).toEqual(['queued', 'queued', 'queued']);
  });
});
