import { setTimeout as wait } from 'node:timers/promises';
import { NoAnswer } from './caller.ts';
import type { Chaos } from './stage.ts';
import { expectAway, expectReady, expectStored, expectTold } from './checks.ts';
import { LANES, dealFaults, healAll } from './faults.ts';
import type { Lane } from './faults.ts';
import { runIntoLimits } from './load/bots.ts';
import { changeConversation } from './load/changes.ts';
import { postDelayed } from './load/delayed.ts';
import { deleteConversations } from './load/deletions.ts';
import { newAuthor, openConversation, postOnce } from './load/load.ts';
import type { LoadContext, Timeline } from './load/load.ts';
import { writeMessages } from './load/messages.ts';
import { readAlong } from './load/reading.ts';
import { upsertAtOnce } from './load/upserts.ts';
import type { Random } from './random.ts';

/**
 * Number of conversations with one writer. One further conversation has two writers, and one has a
 * writer and delayed messages.
 */
const WRITERS = 3;
/**
 * The maximum time after a fault until the product accepts posts again, while other faults
 * continue.
 */
const RECOVERY_MS = 240_000;
/** Number of conversations of earlier rounds that get another post. */
const REVISITED = 10;

/** Runs faults under load, ends them and checks all guarantees of the product. */
export async function runRound(
  chaos: Chaos,
  { round, forMs, faultsPerLane }: { round: number; forMs: number; faultsPerLane: number },
): Promise<void> {
  const { journal, calm, stage } = chaos;
  const most = forMs === Infinity ? `${faultsPerLane} of each lane` : `for ${(forMs / 1000).toFixed(0)} s`;
  journal.say(`round ${round}: faults ${most}`);
  const random = chaos.random.fork(`round ${round}`);
  const loading = new AbortController();
  const load: LoadContext = {
    ...{ admin: chaos.admin, bot: chaos.bot, organization: chaos.organization, journal },
    ...{ random: random.fork('load'), ending: loading.signal, timelines: [], deleted: [], afterwards: [] },
    name: namesOf(round),
  };
  const work = startLoad(load);
  calm.since = undefined;
  const until = performance.now() + forMs;
  await Promise.all(
    LANES.map((lane) => runLane(chaos, { lane, load, random: random.fork(lane), until, faultsPerLane })),
  );
  await healAll({ ...chaos, random });
  calm.since = performance.now();
  journal.say('all is healed');
  loading.abort();
  journal.say(`ready again after ${seconds(await expectReady(stage.origins, journal))}`);
  await work;
  await checkRound(chaos, load);
  chaos.timelines.push(...load.timelines);
  chaos.deleted.push(...load.deleted);
}

function namesOf(round: number): (kind: string) => string {
  let count = 0;
  return (kind) => `${kind}-${round}.${(count += 1)}`;
}

/**
 * Runs all kinds of load until they end. A missing response is recorded as a violation and ends
 * only the kind of load that waited for it.
 */
async function startLoad(load: LoadContext): Promise<void> {
  const timelines = await Promise.all(Array.from({ length: WRITERS + 2 }, () => openConversation(load)));
  const [shared, delayed, ...own] = timelines as [Timeline, Timeline, ...Timeline[]];
  const kinds = [
    ...own.map((timeline) => () => writeMessages(load, timeline)),
    () => writeMessages(load, shared),
    () => writeMessages(load, shared),
    () => postDelayed(load, delayed),
    () => writeMessages(load, delayed),
    () => runIntoLimits(load),
    () => upsertAtOnce(load),
    () => changeConversation(load),
    () => deleteConversations(load),
    () => readAlong(load),
  ];
  await Promise.all(kinds.map((kind) => guarded(load, kind)));
}

async function guarded(
  { journal }: Pick<LoadContext, 'journal'>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof NoAnswer)
      journal.violated('after healing every request is answered in time', error.message);
    else journal.violated('the suite itself works', String((error as Error).stack));
  }
}

interface LaneOptions {
  lane: Lane;
  load: LoadContext;
  random: Random;
  until: number;
  faultsPerLane: number;
}

async function runLane(chaos: Chaos, options: LaneOptions): Promise<void> {
  const { lane, load, random, until, faultsPerLane } = options;
  const { journal } = chaos;
  const deal = dealFaults(lane, { ...chaos, random });
  await wait(random.between(0, 3_000));
  for (let faults = 0; faults < faultsPerLane && performance.now() < until; faults += 1) {
    const fault = deal();
    const waits = lane === 'processes' && random.chance(0.7);
    const pauseMs = random.between(0, lane === 'processes' ? 2_500 : 5_000);
    journal.say(fault.name);
    await fault.happen();
    const over = performance.now();
    if (waits) {
      await guarded(load, () => expectPosts(load));
      journal.longest('recovery', performance.now() - over);
      journal.say(`${fault.name}: both take posts again after ${seconds(performance.now() - over)}`);
    }
    await wait(pauseMs);
  }
}

/** Waits until each API process acknowledges a new message. */
async function expectPosts(load: LoadContext): Promise<void> {
  const timeline = await openConversation(load, RECOVERY_MS);
  for (const api of [0, 1] as const) {
    const text = load.name('probe');
    const body = { conversation: timeline.conversation, text, externalId: text, role: 'agent' };
    const request = { method: 'POST', path: '/messages', body };
    const answer = await load.admin.insist(request, { api, withinMs: RECOVERY_MS });
    newAuthor(timeline).push({ id: answer.body.id, sequence: answer.body.sequence, text });
  }
}

async function checkRound(chaos: Chaos, load: LoadContext): Promise<void> {
  const { journal, witnesses, histories, random } = chaos;
  for (const check of load.afterwards) await guarded(load, check);
  const revisited = random.shuffled(chaos.timelines).slice(0, REVISITED);
  const all = [...load.timelines, ...revisited];
  const startedAt = performance.now();
  await inParallel(8, all, (timeline) =>
    guarded(load, async () => {
      const last = await postOnce(load, timeline, {});
      if (last) newAuthor(timeline).push(last);
    }),
  );
  journal.say(
    `${all.length} conversations have taken one more post, in ${seconds(performance.now() - startedAt)}`,
  );
  await inParallel(4, all, (timeline) => guarded(load, () => expectStored(load.admin, timeline, journal)));
  for (const witness of witnesses) {
    for (const timeline of all) await guarded(load, () => expectTold(witness, timeline, journal));
  }
  await inParallel(4, all, ({ conversation }) =>
    guarded(load, () => histories.expectSound(`conversation:${conversation}`)),
  );
  for (const id of load.deleted) {
    await guarded(load, () => expectAway(load.admin, id, journal));
    await guarded(load, () => histories.expectSound(`erasure:${id}`));
  }
  journal.say(`checked ${all.length} conversations and ${load.deleted.length} deleted ones`);
}

async function inParallel<T>(
  lanes: number,
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
