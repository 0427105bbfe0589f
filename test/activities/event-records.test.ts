import { describe, expect, test } from 'vitest';
import { runEvent } from '../../api/resources/business-events/run.ts';
import type { ApiConfig } from '../../config/api.ts';
import { answerLookups } from '../../business-events/lookups.ts';
import { anyCollection } from '../../store/connection/model.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import {
  eventContentModel,
  eventModel,
  insertEvent,
  keepEventOutcome,
  keepEventResult,
  reopenEvent,
} from '../../store/records/business-events.ts';
import type { EventDocument } from '../../store/records/business-events.ts';
import { mintId } from '../../store/queries/identifier.ts';
import { ensureRootOrganization } from '../../store/records/organizations.ts';
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

  test('is kept until its outcome is known, and thirty days from then', async () => {
    const id = await newEvent();
    for (const one of await both(id)) expect(one).not.toHaveProperty('expiresAt');
    const before = Date.now();
    await keepEventOutcome(id, { status: 'failed', ...outcome, error: { message: 'no' } });
    // By the store's clock, and this is ours.
    for (const one of await both(id)) {
      expect(one?.expiresAt?.getTime()).toBeGreaterThan(before + 29.9 * DAY_MS);
      expect(one?.expiresAt?.getTime()).toBeLessThan(before + 30.1 * DAY_MS);
    }
    await reopenEvent({ _id: id, messages: [], round: 0 }, 't');
    for (const one of await both(id)) expect(one).not.toHaveProperty('expiresAt');
  });

  test('that is run again while its last run ends is run once more, instead of being left where it is', async () => {
    const id = await newEvent();
    let runs = 0;
    const run = async () => {
      runs += 1;
      // The first one had done its work before the event was opened again.
      if (runs === 2) await keepEventOutcome(id, { status: 'ignored', ...outcome });
    };
    const api = { temporal: { events: { run } }, config: { publicUrl: 'http://x' } as ApiConfig };
    expect(await runEvent(id, api)).toMatchObject({ status: 200, body: { id, status: 'ignored' } });
    expect(runs).toBe(2);
  });

  test('is opened again once by those who ask at the same time, and not by one who comes when it has posted', async () => {
    const id = await newEvent();
    await keepEventOutcome(id, { status: 'failed', ...outcome, error: { message: 'no' } });
    const asRead = (await both(id))[0] as EventDocument;
    await Promise.all([1, 2, 3].map(() => reopenEvent(asRead, 't')));
    expect((await both(id))[0]).toMatchObject({ status: 'received', round: 1 });
    await keepEventResult({ _id: id, round: 0 }, '"late"');
    await keepEventResult({ _id: id, round: 1 }, '"mine"');
    await keepEventResult({ _id: id, round: 0 }, '"later still"');
    expect((await both(id))[1]).toMatchObject({ result: '"mine"', evaluated: 1 });
    await keepEventOutcome(id, { status: 'processed', conversations: ['c'], messages: ['m'] });
    await reopenEvent(asRead, 't');
    expect((await both(id))[0]).toMatchObject({ status: 'processed', round: 1 });
  });

  test('goes when its time has come, with its content', async () => {
    const [old, fresh] = [await newEvent(), await newEvent()];
    for (const id of [old, fresh]) await keepEventOutcome(id, { status: 'ignored', ...outcome });
    const expiresAt = new Date();
    for (const model of [eventModel, eventContentModel])
      await model.collection.updateOne({ _id: old }, { $set: { expiresAt } });
    await eventually(async () => (await both(old)).every((one) => one === null), { withinMs: 120_000 });
    expect((await both(fresh)).every((one) => one !== null)).toBe(true);
  }, 150_000);
});

describe('what expressions look for', () => {
  test('is given up after its time, in words, and found when there is enough', async () => {
    const organization = mintId();
    await ensureRootOrganization({ id: organization, name: 'root' });
    const at = new Date();
    await anyCollection(conversationModel).insertMany(
      Array.from({ length: 20_000 }, (_, n) => ({
        _id: mintId(),
        slug: `s${n}`,
        organization,
        status: 'queued',
        meta: { n },
        createdAt: at,
        updatedAt: at,
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
