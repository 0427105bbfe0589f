import { describe, expect, it } from 'vitest';
import { answerLookups } from '../../events/lookups.ts';
import { conversationModel } from '../../store/conversations.ts';
import {
  eventContentModel,
  eventModel,
  insertEvent,
  keepEventOutcome,
  reopenEvent,
} from '../../store/events.ts';
import type { EventDocument } from '../../store/events.ts';
import { mintId } from '../../store/identifier.ts';
import { ensureRootOrganization } from '../../store/organizations.ts';
import { eventually } from '../support/eventually.ts';
import { useStore } from '../support/use-store.ts';

const DAY_MS = 24 * 3600 * 1000;

useStore();

describe('the record of a business event', () => {
  async function newEvent(): Promise<string> {
    const id = mintId();
    const now = new Date();
    await insertEvent(
      {
        ...{ _id: id, organization: 'o', name: 'x', eventtype: 't', createdBy: 'u' },
        ...{
          caller: { user: 'u', organization: 'o', role: 'bot', scope: 'bot' },
          createdAt: now,
          updatedAt: now,
        },
      },
      { body: '{}', seed: 's' },
    );
    return id;
  }

  const both = async (id: string) => [
    await eventModel.findById(id).lean(),
    await eventContentModel.findById(id).lean(),
  ];
  const outcome = { conversations: [], messages: [] };

  it('is kept until its outcome is known, and thirty days from then', async () => {
    const id = await newEvent();
    for (const one of await both(id)) expect(one).not.toHaveProperty('expiresAt');
    const before = Date.now();
    await keepEventOutcome(id, { status: 'failed', ...outcome, error: { message: 'no' } });
    // By the store's clock, and this is ours.
    for (const one of await both(id)) {
      expect(one?.expiresAt?.getTime()).toBeGreaterThan(before + 29.9 * DAY_MS);
      expect(one?.expiresAt?.getTime()).toBeLessThan(before + 30.1 * DAY_MS);
    }
    await reopenEvent({ _id: id, messages: [] as string[] } as EventDocument, 't');
    for (const one of await both(id)) expect(one).not.toHaveProperty('expiresAt');
  });

  it('goes when its time has come, with its content', async () => {
    const [old, fresh] = [await newEvent(), await newEvent()];
    for (const id of [old, fresh]) await keepEventOutcome(id, { status: 'ignored', ...outcome });
    const expiresAt = new Date();
    for (const model of [eventModel, eventContentModel])
      await model.collection.updateOne({ _id: old as never }, { $set: { expiresAt } });
    await eventually(async () => (await both(old)).every((one) => one === null), { withinMs: 120_000 });
    expect((await both(fresh)).every((one) => one !== null)).toBe(true);
  }, 150_000);
});

describe('what expressions look for', () => {
  it('is given up after its time, in words, and found when there is enough', async () => {
    const organization = mintId();
    await ensureRootOrganization({ id: organization, name: 'root' });
    const at = new Date();
    await conversationModel.collection.insertMany(
      Array.from({ length: 20_000 }, (_, n) => ({
        ...{
          _id: mintId() as never,
          slug: `s${n}`,
          organization,
          status: 'queued',
          meta: { n },
          updatedAt: at,
        },
      })),
    );
    const filter = JSON.stringify({ 'meta.n': 19_999 });
    const found = await answerLookups({ organization }, 'http://x', 60_000)({ name: 'conversation', filter });
    expect(JSON.parse(found ?? '')).toMatchObject({ meta: { n: 19_999 } });
    const hasty = answerLookups({ organization }, 'http://x', 1);
    await expect(hasty({ name: 'conversation', filter })).rejects.toThrow('takes too long');
    // What one search has used up the next one has no more.
    await expect(hasty({ name: 'conversation', filter })).rejects.toThrow('takes too long');
  });
});
