import type { Chaos } from './stage.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { DELIVERY_SHARDS, signIn } from '../support/product.ts';
import { respondWith } from '../support/receiver.ts';
import { createCaller } from './caller.ts';
import type { Calm } from './caller.ts';
import { expectAway, expectStored, expectTold, openHistories } from './checks.ts';
import type { Journal } from './journal.ts';
import { createRandom } from './random.ts';
import { runRound } from './round.ts';
import { startStage } from './stage.ts';
import { startWitness } from './witness.ts';

/**
 * Rounds until the time is over, or one round with a fixed number of faults for each of the
 * `LANES`.
 */
export type Bounds = TimeBounds | { faultsPerLane: number };

interface TimeBounds {
  /** New rounds start only within this time. */
  durationMs: number;
  /**
   * The duration of the faults in a round, before the faults are ended and the product is checked.
   */
  roundMs: number;
}

export interface ChaosOptions {
  seed: number;
  bounds: Bounds;
  /** An empty folder for data and process output. */
  folder: string;
  journal: Journal;
}

const ADMIN = { email: 'admin@parlance.local', password: 'correct horse battery' };

/**
 * Runs rounds of faults under load, then checks everything again. Violations are in the journal.
 */
export async function runChaos({ seed, bounds, folder, journal }: ChaosOptions): Promise<void> {
  journal.say(`seed ${seed}, data in ${folder}`);
  const random = createRandom(seed);
  const stage = await startStage(folder, journal);
  const witnesses = await Promise.all(
    ['first', 'second'].map((name) => startWitness(name, journal, respondWith(200))),
  );
  let chaos: Chaos | undefined;
  try {
    chaos = await prepare({ stage, journal, random, witnesses });
    journal.say('all runs');
    if ('faultsPerLane' in bounds) await runRound(chaos, { round: 1, forMs: Infinity, ...bounds });
    else await runRounds(chaos, bounds);
    await checkOnceMore(chaos);
  } finally {
    await chaos?.histories.close();
    await stage.close();
    await Promise.all(witnesses.map((witness) => witness.close()));
  }
}

async function runRounds(chaos: Chaos, { durationMs, roundMs }: TimeBounds): Promise<void> {
  const until = performance.now() + durationMs;
  const forMs = Math.min(roundMs, durationMs);
  for (let round = 1; performance.now() < until; round += 1) {
    await runRound(chaos, { round, forMs, faultsPerLane: Infinity });
  }
}

type Prepared = Pick<Chaos, 'stage' | 'journal' | 'random' | 'witnesses'>;

async function prepare({ stage, journal, random, witnesses }: Prepared): Promise<Chaos> {
  const [origin] = stage.origins;
  const session = await signIn(`${origin}/v2`, ADMIN);
  const admin = client(`${origin}/v2`, session.token);
  for (const { name, url } of witnesses) {
    const events = name === 'second' ? { events: ['message.*'] } : {};
    const { body } = await admin.post('/services', { name, type: 'webhook', params: { url, ...events } });
    const read = async () => (await admin.get(`/services/${body.id}`)).body.status;
    await eventually(async () => (await read()) === 'active', { withinMs: 120_000 });
  }
  const bot = await admin.post('/users', { role: 'bot', givenName: 'Loop' });
  const key = await admin.post(`/users/${bot.body.id}/apikeys`, { name: 'chaos', scopes: ['bot'] });
  const calm: Calm = { since: performance.now() };
  const shared = { origins: stage.origins, journal, calm };
  return {
    ...{ stage, journal, random, calm, witnesses },
    organization: session.organization,
    admin: createCaller({ ...shared, token: session.token, random: random.fork('admin') }),
    bot: createCaller({ ...shared, token: key.body.token, random: random.fork('bot') }),
    histories: await openHistories(stage.temporalAddress, journal),
    timelines: [],
    deleted: [],
  };
}

async function checkOnceMore({
  admin,
  journal,
  timelines,
  deleted,
  witnesses,
  histories,
}: Chaos): Promise<void> {
  for (const timeline of timelines) {
    await expectStored(admin, timeline, journal);
    for (const witness of witnesses) await expectTold(witness, timeline, journal);
  }
  for (const conversation of deleted) await expectAway(admin, conversation, journal);
  const shards = Array.from({ length: DELIVERY_SHARDS }, (_, shard) => `delivery:${shard}`);
  for (const id of shards) await histories.expectSound(id);
  journal.say(`checked ${timelines.length} conversations and ${deleted.length} deleted ones once more`);
}
