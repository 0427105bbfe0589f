import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { runStoredEvent } from '../../api/resources/business-events/run.ts';
import type { ApiConfig } from '../../platform/config/processes.ts';
import { createExpressionPool } from '../../application/expressions/pool.ts';
import type { PostingDeps } from '../../application/posting/posting-context.ts';
import { newSeed } from '../../application/posting/id-generator.ts';
import {
  findFurtherFailures,
  reportFurtherFailures,
} from '../../application/business-events/report-failure.ts';
import { runEvent } from '../../application/business-events/run-event.ts';
import { createLookupResolver } from '../../application/business-events/evaluate-event.ts';
import { anyCollection } from '../../store/connection/model.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import {
  eventContentModel,
  eventModel,
  insertEvent,
  keepEventOutcome,
  keepEventResult,
  loadEvent,
  reopenEvent,
} from '../../store/records/business-events.ts';
import type { EventDocument } from '../../store/records/business-events.ts';
import { countFailure, eventTypeModel } from '../../store/records/eventtypes.ts';
import { findUnfinishedEvents, countUnrouted } from '../../store/records/find-events.ts';
import { newId } from '../../store/queries/identifier.ts';
import { ensureRootOrganization } from '../../store/records/organizations.ts';
import { eventually } from '../support/eventually.ts';
import { useStore } from '../support/use-store.ts';

const DAY_MS = 24 * 3600 * 1000;
const SEED = newSeed();

useStore({ sweepEveryMs: 100 });

describe('the record of a business event', () => {
  async function newEvent({ eventtype }: { eventtype?: string } = { eventtype: 't' }): Promise<string> {
    const id = newId();
    const now = new Date();
    await insertEvent(
      {
        ...{ _id: id, organization: 'o', name: 'x', createdBy: 'u' },
        ...(eventtype === undefined ? {} : { eventtype }),
        ...{
          caller: { user: 'u', organization: 'o', role: 'bot', scope: 'bot' },
          createdAt: now,
          updatedAt: now,
        },
      },
      { body: '{}', seed: SEED },
    );
    return id;
  }

  const both = async (id: string) => [
    await eventModel.findById(id).lean(),
    await eventContentModel.findById(id).lean(),
  ];
  const outcome = { conversations: [], messages: [] };

  test('the record of a business event expires thirty days after the outcome is stored, and a reopening removes the expiry', async () => {
    const id = await newEvent();
    for (const one of await both(id)) expect(one).not.toHaveProperty('expiresAt');
    const before = Date.now();
    await keepEventOutcome({ _id: id, round: 0 }, { status: 'failed', ...outcome, error: { message: 'no' } });
    // The store's clock sets the expiry and this machine's clock sets `before`. The clocks may
    // differ.
    for (const one of await both(id)) {
      expect(one?.expiresAt?.getTime()).toBeGreaterThan(before + 29.9 * DAY_MS);
      expect(one?.expiresAt?.getTime()).toBeLessThan(before + 30.1 * DAY_MS);
    }
    await reopenEvent({ _id: id, messages: [], round: 0 }, 't');
    for (const one of await both(id)) expect(one).not.toHaveProperty('expiresAt');
  });

  test('a business event is run by a workflow if expressions are unavailable, and is run again if the first run stores no outcome', async () => {
    const id = await newEvent();
    let runs = 0;
    const run = async () => {
      runs += 1;
      // The first run stores no outcome, as if the event was reopened after the run.
      if (runs === 2) await keepEventOutcome({ _id: id, round: 0 }, { status: 'ignored', ...outcome });
    };
    const expressions = createExpressionPool();
    // A closed pool rejects with `unavailable`.
    await expressions.close();
    const api = {
      temporal: { events: { run, start: () => Promise.resolve() } },
      config: { publicUrl: 'http://x' } as ApiConfig,
      posting: {} as PostingDeps,
      expressions,
      log: pino({ level: 'silent' }),
    };
    const stored = await loadEvent(id);
    expect(await runStoredEvent({ stored: stored!, expression: '1' }, api)).toMatchObject({
      status: 'ignored',
    });
    expect(runs).toBe(2);
  });

  test('the record of a business event keeps the content, the result and the outcome that are written first', async () => {
    const id = await newEvent();
    const again = await insertEvent((await both(id))[0] as EventDocument, {
      body: '"other"',
      seed: newSeed(),
    });
    expect(again.content).toMatchObject({ body: '{}', seed: SEED });
    const mine = { _id: id, round: 0 };
    expect(await keepEventResult(mine, '"first"')).toBe('"first"');
    expect(await keepEventResult(mine, '"second"')).toBe('"first"');
    await keepEventOutcome(mine, { status: 'processed', conversations: ['c'], messages: ['m'] });
    const late = await keepEventOutcome(mine, { status: 'failed', ...outcome, error: { message: 'no' } });
    expect(late).toMatchObject({ status: 'processed', messages: ['m'] });
    expect((await both(id))[0]).toMatchObject({ status: 'processed', messages: ['m'] });
  });

  test('a second run of a business event in the same round returns the failure of the first run and posts nothing', async () => {
    const id = await newEvent();
    const stored = (await loadEvent(id))!;
    const expressions = createExpressionPool({ size: 1 });
    const deps = { expressions, publicUrl: 'http://x', posting: {} as PostingDeps };
    const first = await runEvent(stored, deps, '$error("no")');
    const posts = '{"conversation": "000000000000000000000000", "messages": [{"text": "late"}]}';
    const second = await runEvent(stored, deps, posts);
    await expressions.close();
    expect(first.outcome).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('no') },
    });
    expect(second.outcome).toMatchObject({ status: 'failed', error: first.outcome.error });
    expect((await both(id))[1]).not.toHaveProperty('result');
  });

  test('a run of a business event returns the outcome of this run even if the event was reopened during the run', async () => {
    const id = await newEvent();
    await keepEventOutcome({ _id: id, round: 0 }, { status: 'failed', ...outcome, error: { message: 'no' } });
    await reopenEvent({ _id: id, messages: [], round: 0 }, 't');
    const late = await keepEventOutcome({ _id: id, round: 0 }, { status: 'ignored', ...outcome });
    expect(late.status).toBe('ignored');
    expect((await both(id))[0]).toMatchObject({ status: 'received', round: 1 });
  });

  test('the search for unfinished business events finds events of timers or others that have no outcome and were last updated before the given time', async () => {
    const [id, done, ofTimer] = [await newEvent(), await newEvent(), await newEvent()];
    await keepEventOutcome({ _id: done, round: 0 }, { status: 'ignored', ...outcome });
    await eventModel.updateOne({ _id: ofTimer }, { timer: 'late' });
    const find = async (ofTimers: boolean, before: number) => {
      const found = await findUnfinishedEvents({ ofTimers, before: new Date(before), limit: 1_000 });
      return found.map(({ _id }) => _id).filter((found) => [id, done, ofTimer].includes(found));
    };
    const [past, future] = [Date.now() - 60_000, Date.now() + 60_000];
    expect([await find(false, past), await find(true, past)]).toEqual([[], []]);
    expect([await find(false, future), await find(true, future)]).toEqual([[id], [ofTimer]]);
  });

  test('concurrent requests reopen a business event only once, and a request that read the event before it was reopened changes nothing', async () => {
    const id = await newEvent();
    await keepEventOutcome({ _id: id, round: 0 }, { status: 'failed', ...outcome, error: { message: 'no' } });
    const asRead = (await both(id))[0] as EventDocument;
    await Promise.all([1, 2, 3].map(() => reopenEvent(asRead, 't')));
    expect((await both(id))[0]).toMatchObject({ status: 'received', round: 1 });
    await keepEventResult({ _id: id, round: 0 }, '"late"');
    await keepEventResult({ _id: id, round: 1 }, '"mine"');
    await keepEventResult({ _id: id, round: 0 }, '"later still"');
    expect((await both(id))[1]).toMatchObject({ result: '"mine"', evaluated: 1 });
    await keepEventOutcome(
      { _id: id, round: 1 },
      { status: 'processed', conversations: ['c'], messages: ['m'] },
    );
    await reopenEvent(asRead, 't');
    expect((await both(id))[0]).toMatchObject({ status: 'processed', round: 1 });
  });

  test('the record of a business event without an event type expires thirty days after its creation, unless the event is reopened with an event type', async () => {
    const id = await newEvent({});
    const asRead = (await both(id))[0] as EventDocument;
    const createdAt = asRead.createdAt.getTime();
    for (const one of await both(id)) expect(one?.expiresAt?.getTime()).toBe(createdAt + 30 * DAY_MS);
    expect(await countUnrouted('u')).toEqual({ events: 1, bytes: 2 });
    await reopenEvent(asRead, 't');
    for (const one of await both(id)) expect(one).not.toHaveProperty('expiresAt');
    expect((await both(id))[0]).toMatchObject({ status: 'received', eventtype: 't' });
    expect(await countUnrouted('u')).toEqual({ events: 0, bytes: 0 });
  });

  test('the record and the content of a business event are removed when they expire', async () => {
    const [old, fresh] = [await newEvent(), await newEvent()];
    for (const id of [old, fresh])
      await keepEventOutcome({ _id: id, round: 0 }, { status: 'ignored', ...outcome });
    const expiresAt = new Date();
    for (const model of [eventModel, eventContentModel])
      await model.collection.updateOne({ _id: old }, { $set: { expiresAt } });
    await eventually(async () => (await both(old)).every((one) => one === null), { withinMs: 120_000 });
    expect((await both(fresh)).every((one) => one !== null)).toBe(true);
  });
});

describe('a lookup of an expression', () => {
  test('a lookup of an expression succeeds with enough time, and otherwise fails with the message that it takes too long', async () => {
    const organization = newId();
    await ensureRootOrganization({ id: organization, name: 'root' });
    const at = new Date();
    await anyCollection(conversationModel).insertMany(
      Array.from({ length: 5_000 }, (_, n) => ({
        _id: newId(),
        slug: `s${n}`,
        organization,
        status: 'queued',
        participants: [],
        meta: { n },
        createdAt: at,
        updatedAt: at,
        lastMessageAt: at,
      })),
    );
    const filter = JSON.stringify({ 'meta.n': 4_999 });
    const found = await createLookupResolver(
      { organization },
      'http://x',
      60_000,
    )({ name: 'conversation', filter });
    expect(JSON.parse(found ?? '')).toMatchObject({ meta: { n: 4_999 } });
    const hasty = createLookupResolver({ organization }, 'http://x', 1);
    await expect(hasty({ name: 'conversation', filter })).rejects.toThrow('takes too long');
    // The time limit applies to all lookups of a resolver together.
    await expect(hasty({ name: 'conversation', filter })).rejects.toThrow('takes too long');
  });

  test('failures in the minute after a notice are reported once, by the latest failed event, without a further failure', async () => {
    const eventtype = newId();
    const organization = newId();
    const now = new Date();
    await eventTypeModel.create([
      { _id: eventtype, organization, name: 'bursting', createdBy: 'u', createdAt: now, updatedAt: now },
    ]);
    const minuteAgo = new Date(now.getTime() - 61_000);
    for (const run of ['a-1', 'b-1', 'c-1'])
      await countFailure(eventtype, { run, now: minuteAgo, everyMs: 60_000 });
    const findThese = async () => (await findFurtherFailures(1_000)).filter(({ _id }) => _id === eventtype);
    const [known] = await findThese();
    expect(known).toMatchObject({ count: 2 });
    await reportFurtherFailures(known!, { publicUrl: 'http://parlance.example', deliveryShards: 1 });
    expect(await findThese()).toEqual([]);
    const next = await countFailure(eventtype, {
      run: 'd-1',
      now: new Date(Date.now() + 61_000),
      everyMs: 60_000,
    });
    expect(next?.count).toBe(1);
  });

  test('failures of an event type give one notice a minute, with the number of failures, and the same notice for a repeated run', async () => {
    const now = new Date();
    const eventtype = newId();
    const organization = newId();
    await eventTypeModel.create([
      { _id: eventtype, organization, name: 'failing', createdBy: 'u', createdAt: now, updatedAt: now },
    ]);
    const fail = async (run: string, seconds: number) => {
      const at = new Date(now.getTime() + seconds * 1_000);
      return (await countFailure(eventtype, { run, now: at, everyMs: 60_000 }))?.count;
    };
    expect([await fail('a-1', 0), await fail('b-1', 1), await fail('c-1', 59)]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    expect(await fail('a-1', 59)).toBe(1);
    const many = await Promise.all(Array.from({ length: 8 }, (_, at) => fail(`d-${at}`, 60)));
    expect(many.filter((count) => count !== undefined)).toEqual([3]);
    expect(await fail('e-1', 120)).toBe(8);
    expect(await countFailure(newId(), { run: 'x-1', now, everyMs: 60_000 })).toBeNull();
  });
});
