import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversationActivities } from '../../activities/conversation.ts';
import { createSlugEncryption } from '../../application/posting/encryption.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import type { Caller } from '../../domain/messages/message.ts';
import { findNextTimer, MAX_FIRINGS } from '../../domain/timers/timer.ts';
import { parseAfter } from '../../domain/timers/duration.ts';
import { addOpenTime } from '../../domain/timers/hours.ts';
import { newId, newSlug } from '../../store/queries/identifier.ts';
import { loadConversation } from '../../store/conversations/commits.ts';
import { eventModel } from '../../store/records/business-events.ts';
import type { EventDocument } from '../../store/records/business-events.ts';
import { organizationModel } from '../../store/records/organizations.ts';
import type { StoredTimer } from '../../store/records/timers.ts';
import { organizationTimers } from '../../store/records/timers.ts';
import { CONVERSATION_WORKFLOW, TASK_QUEUE } from '../../workflows/contract.ts';
import { createConversations } from '../../workflows/client/conversations.ts';
import type { Conversations } from '../../workflows/client/conversations.ts';
import type { ConversationInput } from '../../workflows/contract.ts';
import { agent, bot, contact, draft } from '../support/conversations.ts';
import { eventually } from '../support/eventually.ts';
import { once, run } from '../support/fetched.ts';
import { storedOrganization } from '../support/stored-organization.ts';
import { useStore } from '../support/use-store.ts';

/** Cache of the download between runs. */
const FOLDER = resolve('build-output/time-skipping');
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

useStore();

const slugs = createSlugEncryption('a secret of tests');
let environment: TestWorkflowEnvironment;
let worker: Worker;
let ended: Promise<void>;
let conversations: Conversations;

beforeAll(async () => {
  await once(FOLDER, 'temporal-test-server 1.32.0', () =>
    run('mvn', ['-q', 'dependency:copy-dependencies', `-DoutputDirectory=${FOLDER}`], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    }),
  );
  process.env['PARLANCE_TEST_SERVER'] = FOLDER;
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const path = fileURLToPath(new URL('serve.sh', import.meta.url));
  // The SDK waits only five seconds for the server, which takes longer on a busy machine.
  environment = await eventually(() =>
    TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } }),
  );
  worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowsPath: resolve('dist/workflows/index.js'),
    interceptors: { workflowModules: [fileURLToPath(new URL('timers-as-sleeps.ts', import.meta.url))] },
    activities: createConversationActivities({
      publicUrl: 'http://localhost:3000',
      deliveryShards: 1,
      notifyDeliveries: () => undefined,
      runTimerEvent: () => undefined,
      searchAttributes: [],
      slugs,
      observeWait: () => undefined,
    }),
  });
  ended = worker.run();
  const { client, connection } = environment;
  conversations = createConversations(
    { client, connection: connection },
    {
      summaries: { conversation: () => Promise.resolve(undefined), erasure: () => Promise.resolve('') },
      sealSlug: slugs.encrypt,
      timeoutMs: 20_000,
    },
  );
});
afterAll(async () => {
  worker.shutdown();
  await ended;
  await environment.teardown();
});

/** A conversation whose time the test moves. */
interface Timed {
  id: string;
  post: (by: Caller, input: Partial<MessageInput>) => Promise<void>;
  read: () => Promise<ConversationState>;
  firings: () => Promise<Firing[]>;
}

interface Firing {
  timer: string;
  since: string;
  at: number;
}

const timer = (fields: Partial<StoredTimer> = {}): StoredTimer => ({
  ...{ name: 't', when: 'queued', after: MINUTE_MS, event: 'fired', user: bot.user },
  ...fields,
});

async function begin(timers: StoredTimer[], more: Partial<ConversationInput> = {}): Promise<Timed> {
  const organization = await storedOrganization();
  await organizationModel.updateOne({ _id: organization }, { timers });
  const id = newId();
  await environment.client.workflow.start(CONVERSATION_WORKFLOW, {
    workflowId: `conversation:${id}`,
    taskQueue: TASK_QUEUE,
    args: [{ id, ...more } satisfies ConversationInput],
  });
  const createdAt = new Date(await environment.currentTimeMs()).toISOString();
  const create = { id, organization, slug: newSlug(), createdBy: bot.user, createdAt };
  const post = async (by: Caller, messages: Partial<MessageInput>[]) => {
    const now = new Date(await environment.currentTimeMs()).toISOString();
    const drafts = messages.map((input) => draft(by, input, { now }));
    const posted = drafts.map((one) => ({ ...one, id: newId() }));
    await conversations.post(id, { caller: by, messages: posted, create });
  };
  await post(bot, []);
  return {
    id,
    post: (by, input) => post(by, [input]),
    async read() {
      const { state } = await loadConversation(id);
      if (!state) throw new Error('no conversation');
      return state;
    },
    async firings() {
      const events = await eventModel.find({ organization }).sort({ createdAt: 1 }).lean<EventDocument[]>();
      return events.map(({ timer: name = '', body, createdAt }) => {
        const { since } = JSON.parse(body ?? '{}') as { since: string };
        return { timer: name, since, at: createdAt.getTime() };
      });
    },
  };
}

/** Sleeps by the clock of the server, which skips the time. */
const pass = (ms: number) => environment.sleep(ms);

/** Spec 14, with the real workflow, a server whose clock is moved, and the built-in store. */
describe('timers of a conversation over months', () => {
  test('a timer of 400 days fires once, at its time', async () => {
    const conversation = await begin([timer({ after: 'P400D' })]);
    await pass(399 * DAY_MS);
    expect(await conversation.firings()).toEqual([]);
    await pass(2 * DAY_MS);
    const [firing] = await conversation.firings();
    expectInTime(firing, 400 * DAY_MS);
    await pass(400 * DAY_MS);
    expect(await conversation.firings()).toEqual([firing]);
  });

  test('a ladder of timers stops at the reply, and begins again with the next question', async () => {
    const ladder = ['PT10M', 'PT1H', 'P2D'].map((after) => timer({ name: after, when: 'waiting', after }));
    const conversation = await begin(ladder);
    await conversation.post(contact, { text: 'Hello?', role: 'contact' });
    await pass(30 * MINUTE_MS);
    await conversation.post(agent, { text: 'Hello', role: 'agent' });
    await pass(30 * DAY_MS);
    expect((await conversation.firings()).map(({ timer: name }) => name)).toEqual(['PT10M']);
    await conversation.post(contact, { text: 'And now?', role: 'contact' });
    await pass(30 * DAY_MS);
    const names = (await conversation.firings()).map(({ timer: name }) => name);
    expect(names).toEqual(['PT10M', 'PT10M', 'PT1H', 'P2D']);
  });

  test('a snoozed conversation fires no timer for 30 days, and then its states begin again', async () => {
    const conversation = await begin([timer({ when: 'quiet', after: 'P1D' })]);
    await conversation.post(agent, { type: 'command', text: '/snooze P30D' });
    await pass(29 * DAY_MS);
    expect(await conversation.firings()).toEqual([]);
    const { snoozedUntil = '' } = await conversation.read();
    await pass(3 * DAY_MS);
    expect(await conversation.read()).not.toHaveProperty('snoozedUntil');
    const [firing, ...others] = await conversation.firings();
    expect(others).toEqual([]);
    expectPrompt(Date.parse(firing?.since ?? ''), Date.parse(snoozedUntil));
    expectInTime(firing, DAY_MS);
  });

  test('a timer keeps its time and fires once while the workflow continues as new at each message', async () => {
    const conversation = await begin([timer({ after: 'P10D' })], { updatesPerRun: 1 });
    const runs = new Set<string>();
    for (let day = 1; day < 10; day += 1) {
      await conversation.post(contact, { text: 'Hello?', role: 'contact' });
      await pass(DAY_MS);
      const { runId } = await environment.client.workflow
        .getHandle(`conversation:${conversation.id}`)
        .describe();
      runs.add(runId);
    }
    expect(runs.size).toBeGreaterThanOrEqual(9);
    expect(await conversation.firings()).toEqual([]);
    await pass(2 * DAY_MS);
    const firings = await conversation.firings();
    expectInTime(firings[0], 10 * DAY_MS);
    await conversation.post(contact, { text: 'Still there?', role: 'contact' });
    await pass(30 * DAY_MS);
    expect(await conversation.firings()).toEqual([firings[0]]);
  });

  test('the time of a timer with opening hours passes on Mondays alone', async () => {
    const hours = {
      timeZone: 'Europe/Amsterdam',
      week: [{ days: ['mon' as const], from: '09:00', to: '10:00' }],
    };
    const conversation = await begin([timer({ after: 'PT10H', hours })]);
    await pass(80 * DAY_MS);
    const [firing] = await conversation.firings();
    const due = addOpenTime(Date.parse(firing?.since ?? ''), 10 * 60 * MINUTE_MS, hours) ?? 0;
    expectPrompt(firing?.at ?? 0, due);
    expect(new Date(due).getUTCDay()).toBe(1);
  });

  test('a conversation that is busy beyond reason fires 50 timers a day, and the next one on the next day', async () => {
    const conversation = await begin([timer({ when: 'quiet', after: SECOND_MS })]);
    const untilMidnight = DAY_MS - ((await environment.currentTimeMs()) % DAY_MS);
    await pass(untilMidnight + MINUTE_MS);
    const before = (await conversation.firings()).length;
    for (let posts = 0; posts < MAX_FIRINGS + 5; posts += 1) {
      await conversation.post(contact, { text: 'x', role: 'contact' });
      await pass(10 * SECOND_MS);
    }
    expect(await conversation.firings()).toHaveLength(before + MAX_FIRINGS);
    await pass(DAY_MS);
    const firings = await conversation.firings();
    expect(firings).toHaveLength(before + MAX_FIRINGS + 1);
    const last = firings.at(-1)?.at ?? 0;
    expectPrompt(last, last - (last % DAY_MS));
  });

  test('timers fire once per state and in time, with any steps in between, also when each second update continues as new', async () => {
    const list = [
      timer({ name: 'queued', when: 'queued', after: 'PT2H' }),
      timer({ name: 'waiting', when: 'waiting', after: 'PT30M' }),
      timer({ name: 'quiet', when: 'quiet', after: 'P3D' }),
      timer({ name: 'accepted', when: 'accepted', after: 'PT1H' }),
    ];
    const step = fc.record({
      act: fc.constantFrom<[Caller, Partial<MessageInput>][]>(
        [contact, { text: 'Hello?', role: 'contact' }],
        [agent, { text: 'Hello', role: 'agent' }],
        [agent, { type: 'command', text: '/accept' }],
        [agent, { type: 'command', text: '/leave' }],
        [agent, { type: 'command', text: '/snooze PT90M' }],
        [agent, { type: 'command', text: '/wake' }],
        [agent, { text: 'Soon', role: 'agent', delay: 20 * MINUTE_MS }],
      ),
      thenMs: fc.constantFrom(SECOND_MS, 10 * MINUTE_MS, 45 * MINUTE_MS, 3 * 60 * MINUTE_MS, 5 * DAY_MS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const conversation = await begin(list, { updatesPerRun: 2 });
        for (const { act, thenMs } of steps) {
          await conversation.post(...act).catch(assertRefusal);
          await pass(thenMs);
        }
        await pass(10 * DAY_MS);
        const firings = await conversation.firings();
        const fired = new Set(firings.map(({ timer: name, since }) => `${name} ${since}`));
        expect(fired.size).toBe(firings.length);
        for (const firing of firings) {
          expectInTime(firing, parseAfter(list.find(({ name }) => name === firing.timer)?.after ?? 0) ?? 0);
        }
        // Every state that holds at the end has fired its timer.
        const state = await conversation.read();
        for (const { name, when } of list) {
          const since = state.timing?.[when];
          if (since !== undefined) expect(fired).toContain(`${name} ${since}`);
        }
        const timers = await organizationTimers(state.organization);
        expect(findNextTimer(state, timers)).toBeUndefined();
      }),
      { numRuns: 15 },
    );
  });
});

/** A closed conversation cannot be snoozed. */
function assertRefusal(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'unprocessable')) throw error;
}

/** Lateness of the steps of this file. Only the median is independent of a stall of the machine. */
const lateMs: number[] = [];

afterAll(() => {
  lateMs.sort((a, b) => a - b);
  expect(lateMs.length).toBeGreaterThan(20);
  expect(lateMs[Math.floor(lateMs.length / 2)]).toBeLessThan(SECOND_MS);
});

function expectPrompt(at: number, dueAt: number): void {
  expect(at).toBeGreaterThanOrEqual(dueAt);
  expect(at - dueAt).toBeLessThan(MINUTE_MS);
  lateMs.push(at - dueAt);
}

function expectInTime(firing: Firing | undefined, afterMs: number): void {
  expectPrompt(firing?.at ?? 0, Date.parse(firing?.since ?? '') + afterMs);
}
