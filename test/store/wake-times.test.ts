import { describe, expect, test } from 'vitest';
import { newConversation } from '../../domain/conversations/conversation.ts';
import { writeCommit } from '../../store/conversations/commits.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import {
  computeWakeAt,
  findSleeping,
  recomputeWakeTimes,
  setWakeAt,
} from '../../store/conversations/wake-times.ts';
import { newId, newSlug } from '../../store/queries/identifier.ts';
import { updateOrganization } from '../../store/records/find-organizations.ts';
import { organizationModel } from '../../store/records/organizations.ts';
import { claimListChange, endListChange, extendListChange } from '../../store/records/list-changes.ts';
import type { ListChange } from '../../store/records/list-changes.ts';
import type { StoredTimer } from '../../store/records/timers.ts';
import { storedOrganization } from '../support/stored-organization.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const SECOND_MS = 1_000;
const CREATED_AT = new Date(Date.now() - 60 * SECOND_MS);

const timer = (after: number) =>
  ({ name: 't', when: 'queued', after, event: 'e', user: newId() }) satisfies StoredTimer;

async function addOrganization(after?: number): Promise<string> {
  const id = await storedOrganization();
  const timers = after === undefined ? [] : [timer(after)];
  await organizationModel.updateOne({ _id: id }, { timers });
  return id;
}

async function addConversation(organization: string): Promise<string> {
  const id = newId();
  const base = newConversation({
    ...{ id, organization, slug: newSlug(), createdBy: newId(), createdAt: CREATED_AT.toISOString() },
  });
  const wakeAt = await computeWakeAt(base);
  await writeCommit({ base, next: base, results: [], commit: '{}', wakeAt });
  return id;
}

const findWakeAt = async (id: string) =>
  (await conversationModel.findById(id).lean<{ wakeAt?: Date }>())?.wakeAt?.getTime();
const after = (ms: number) => CREATED_AT.getTime() + ms;
const proceed = () => Promise.resolve(true);

/** Returns the claims of one turn of the worker, without the claims of other tests. */
async function claimAll(): Promise<Map<string, ListChange>> {
  const claims = new Map<string, ListChange>();
  for (let claim = await claimListChange('retimeAt'); claim; claim = await claimListChange('retimeAt')) {
    claims.set(claim.organization, claim);
  }
  return claims;
}

describe('the times at which conversations wake', () => {
  test('a conversation is found sleeping after its timer was due, and not before', async () => {
    const organization = await addOrganization(30 * SECOND_MS);
    const id = await addConversation(organization);
    const find = async (ms: number) =>
      (await findSleeping({ before: new Date(after(ms)), after: undefined, limit: 1_000 })).filter(
        ({ conversation }) => conversation === id,
      );
    expect(await find(30 * SECOND_MS)).toEqual([]);
    expect(await find(31 * SECOND_MS)).toMatchObject([{ dueAt: new Date(after(30 * SECOND_MS)) }]);
  });

  test('a changed list gives all open conversations new times, also in organizations below', async () => {
    const organization = await addOrganization();
    const below = await storedOrganization({ parent: organization });
    const ids: string[] = [];
    for (let n = 0; n < 250; n += 1) ids.push(await addConversation(n % 2 ? organization : below));
    await conversationModel.updateOne({ _id: ids[0]! }, { status: 'closed' });
    await organizationModel.updateOne({ _id: organization }, { timers: [timer(5 * SECOND_MS)] });
    let calls = 0;
    const counted = () => Promise.resolve((calls += 1) > 0);
    // The lists of this process are cached for five seconds.
    await expect
      .poll(() => recomputeWakeTimes(organization, counted).then(() => findWakeAt(ids[1]!)), {
        timeout: 60_000,
        interval: 500,
      })
      .toBe(after(5 * SECOND_MS));
    expect(calls).toBeGreaterThan(1);
    const times = await Promise.all(ids.slice(1).map(findWakeAt));
    expect(new Set(times)).toEqual(new Set([after(5 * SECOND_MS)]));
    expect(await findWakeAt(ids[0]!)).toBeUndefined();
  });

  test('a time of an outdated version is not written', async () => {
    const id = await addConversation(await addOrganization());
    await setWakeAt({ _id: id, version: 0, wakeAt: new Date() });
    expect(await findWakeAt(id)).toBeUndefined();
    await setWakeAt({ _id: id, version: 1, wakeAt: new Date(5) });
    expect(await findWakeAt(id)).toBe(5);
    await setWakeAt({ _id: id, version: 1, wakeAt: undefined });
    expect(await findWakeAt(id)).toBeUndefined();
  });
});

describe('a change of timers', () => {
  const change = async (organization: string) => {
    await updateOrganization({ organization }, organization, { timers: [timer(1)] });
    await organizationModel.updateOne({ _id: organization }, { retimeAt: new Date(0) });
  };

  test('a change of timers is claimed by one worker, and not again after its end', async () => {
    const organization = await addOrganization();
    expect((await claimAll()).has(organization)).toBe(false);
    await updateOrganization({ organization }, organization, { timers: [timer(1)] });
    // Other processes may still have the former list.
    expect((await claimAll()).has(organization)).toBe(false);
    await change(organization);
    const claim = (await claimAll()).get(organization);
    expect((await claimAll()).has(organization)).toBe(false);
    const extended = await extendListChange(claim!);
    await endListChange(extended!);
    expect(await organizationModel.findById(organization).lean()).not.toHaveProperty('retimeAt');
  });

  test('a further change ends the work on the former one', async () => {
    const organization = await addOrganization();
    await change(organization);
    const claim = (await claimAll()).get(organization)!;
    await change(organization);
    expect(await extendListChange(claim)).toBeNull();
    await endListChange(claim);
    expect((await claimAll()).has(organization)).toBe(true);
    expect(await recomputeWakeTimes(organization, () => Promise.resolve(false))).toBe(false);
    expect(await recomputeWakeTimes(organization, proceed)).toBe(true);
  });
});
