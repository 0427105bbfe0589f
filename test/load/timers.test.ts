import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { childrenOf, cpuMsOf } from '../bench/cpu-time.ts';
import { quantile } from '../bench/load.ts';
import { createConversation } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import type { OwnProduct } from '../support/product.ts';
import { newUser, startApi } from '../support/shared-servers.ts';

const DATABASE = 'load_timers';
/** Conversations of one organization, which are created in some seconds. */
const GROUP = 256;
/** Conversations with a timer that fires: 10,000 in a load test of ten minutes. */
const DUE = 1_000 * LOAD_MINUTES;
/** Further conversations, whose timers do not fire. Creating 90,000 takes an hour. */
const RESTING = Number(process.env['PARLANCE_RESTING'] ?? GROUP);
const CREATORS = 8;
const REST_MS = 30_000;
/** CPU seconds per minute that all conversations at rest together may add to an idle product. */
const MAX_REST_SECONDS = 3;
const SECOND_MS = 1_000;
const EXPRESSION = `{ "conversation": conversation, "messages": [{ "text": timer }] }`;

/** Spec 14.3. The timers of all groups are due within the time that creates a group. */
test(`${RESTING + DUE} conversations with three timers rest without CPU, and an honest post takes less than a second (99 %) while ${DUE} timers fire in the same minute`, async () => {
  const product = await startApi(DATABASE);
  const mongodb = await MongoClient.connect(inject('mongodbUri'));
  onTestFinished(() => Promise.all([mongodb.close(), product.close()]).then(() => undefined));
  const fired = (organizations: string[]) =>
    mongodb
      .db(DATABASE)
      .collection<{ createdAt: Date; timer: string; body: string }>('events')
      .find({ organization: { $in: organizations } })
      .toArray();
  const idle = await restingCores();

  const { user } = await newUser(product, { role: 'bot' });
  await newEventType(product, 'fired', EXPRESSION);
  const restingGroups: string[] = [];
  let startedAt = Date.now();
  while (restingGroups.length < Math.ceil(RESTING / GROUP)) {
    startedAt = Date.now();
    restingGroups.push(await createGroup(product, { user, afterMs: 86_400_000 }));
  }
  const groups = Math.ceil(DUE / GROUP);
  const dueAt = Date.now() + groups * (Date.now() - startedAt) * 1.3 + 3 * REST_MS;
  const organizations: string[] = [];
  for (let group = 0; group < groups; group += 1) {
    organizations.push(await createGroup(product, { user, afterMs: dueAt - Date.now() }));
  }
  await sleep(REST_MS / 2);
  const resting = await restingCores();
  console.log(
    `idle ${idle.toFixed(3)} cores; ${(restingGroups.length + groups) * GROUP} conversations at rest ${resting.toFixed(3)} cores`,
  );
  expect(Date.now()).toBeLessThan(dueAt);
  expect((resting - idle) * 60).toBeLessThan(MAX_REST_SECONDS);

  await sleep(dueAt - Date.now());
  const honest = await startHonest(product, user);
  const expected = groups * GROUP;
  const firedIn = await eventually(
    async () => {
      const count = await mongodb
        .db(DATABASE)
        .collection('events')
        .countDocuments({ organization: { $in: organizations }, status: 'processed' });
      return count >= expected && Date.now() - dueAt;
    },
    { withinMs: 3_600_000, everyMs: 2 * SECOND_MS },
  );
  const { posts, creations, refusals } = await honest.end();
  const late = (await fired([honest.organization])).map(({ createdAt, body }) => {
    const { since } = JSON.parse(body) as { since: string };
    return createdAt.getTime() - Date.parse(since) - 5 * SECOND_MS;
  });
  console.log(
    [
      `${expected} timers fired and posted in ${(firedIn / SECOND_MS).toFixed(0)} s`,
      `${refusals.length} posts refused: ${refusals.slice(0, 3).join('; ')}`,
      describeLatencies('posts', posts),
      describeLatencies('new conversations', creations),
      describeLatencies('lateness of the timers of a neighbour', late),
    ].join('\n'),
  );
  expect(refusals).toEqual([]);
  expect(await fired(restingGroups)).toEqual([]);
  expect(await fired(organizations)).toHaveLength(expected);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  expect(quantile(posts, 0.99)).toBeLessThan(SECOND_MS);
  expect(quantile(creations, 0.99)).toBeLessThan(SECOND_MS);
}, 7_200_000);

interface Group {
  user: string;
  afterMs: number;
}

/** Returns the organization of new conversations with three timers, the first after `afterMs`. */
async function createGroup({ admin }: OwnProduct, { user, afterMs }: Group): Promise<string> {
  const timer = { event: 'fired', user };
  const { body } = await admin.post('/organizations', {
    name: `group ${afterMs}`,
    timers: [
      { ...timer, name: 'queued', when: 'queued', after: Math.round(afterMs) },
      { ...timer, name: 'waiting', when: 'waiting', after: 'P30D' },
      { ...timer, name: 'quiet', when: 'quiet', after: 'P60D' },
    ],
  });
  const organization = body.id as string;
  const share = Array.from({ length: GROUP / CREATORS });
  await Promise.all(
    Array.from({ length: CREATORS }, async () => {
      for (const _ of share) {
        await createConversation(admin, { organization });
      }
    }),
  );
  return organization;
}

/** Posts and creates conversations at a constant rate, without waiting for the answers. */
async function startHonest({ admin }: OwnProduct, user: string) {
  const { body } = await admin.post('/organizations', {
    name: 'honest',
    timers: [{ name: 'soon', when: 'queued', after: 5 * SECOND_MS, event: 'fired', user }],
  });
  const organization = body.id as string;
  const conversation = await createConversation(admin, { organization });
  const [posts, creations, running]: [number[], number[], Promise<void>[]] = [[], [], []];
  const refusals: string[] = [];
  const measure = (times: number[], path: string, record: object) => {
    const startedAt = performance.now();
    const request = admin.post(path, record).then(({ status, body: answer }) => {
      times.push(performance.now() - startedAt);
      if (status !== 201) refusals.push(`${new Date().toISOString()} ${status} ${answer.message}`);
    });
    running.push(request);
  };
  const posting = setInterval(() => measure(posts, '/messages', { conversation, text: 'honest' }), 500);
  const creating = setInterval(() => measure(creations, '/conversations', { organization }), 2_000);
  return {
    organization,
    async end() {
      clearInterval(posting);
      clearInterval(creating);
      await Promise.all(running);
      return { posts, creations, refusals };
    },
  };
}

function describeLatencies(name: string, values: number[]): string {
  const [median, high, most] = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(0));
  return `${name} (${values.length}): median ${median} ms, 99 % ${high} ms, maximum ${most} ms`;
}

/** Returns the number of cores that the processes of this run use while nothing happens. */
async function restingCores(): Promise<number> {
  const [before, startedAt] = [await usedMs(process.ppid), performance.now()];
  await sleep(REST_MS);
  return ((await usedMs(process.ppid)) - before) / (performance.now() - startedAt);
}

/** Returns the CPU milliseconds of a process and its descendants, except this process. */
async function usedMs(pid: number): Promise<number> {
  if (pid === process.pid) return 0;
  const ofChildren = await Promise.all((await childrenOf(pid)).map(usedMs));
  return ofChildren.reduce((sum, ms) => sum + ms, (await cpuMsOf(pid)) ?? 0);
}
