import fc from 'fast-check';
import { EJSON } from 'bson';
import { MongoClient, MongoServerError } from 'mongodb';
import type { Collection, Document, UpdateFilter } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents, filter, oneOfThem, sort, update } from './arbitrary-statements.ts';
import { builtInStore } from '../support/use-store.ts';
import { ENGINES } from './engines.ts';
import type { RunningEngine } from './engines.ts';
import { BOTH_OTHERS_ARE_WRONG, REFUSED } from './known-differences.ts';
import type { Asked } from './known-differences.ts';

const SEED = Number(process.env['FC_SEED'] ?? Date.now() % 1_000_000_000);
/** Number of random finds, and also of random updates. */
const STATEMENTS = 10_000;
const PER_COLLECTION = 10;
const others = Object.keys(ENGINES);

describe(`random statements (FC_SEED=${SEED}) for the built-in store, ${others.join(' and ')}`, () => {
  const engines: RunningEngine[] = [];
  const clients: MongoClient[] = [];
  let made = 0;

  beforeAll(async () => {
    for (const start of [builtInStore, ...Object.values(ENGINES)]) engines.push(await start());
    for (const { uri } of engines) clients.push(await MongoClient.connect(uri));
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(engines.map((engine) => engine.close()));
  });

  /** Creates a collection with these documents on each engine. */
  async function filled(given: Asked['given']): Promise<Collection[]> {
    const name = `same_${++made}`;
    return Promise.all(
      clients.map(async (client) => {
        const collection = client.db('random').collection(name);
        await refill(collection, given);
        return collection;
      }),
    );
  }

  test('random finds return the same documents in the same order on the built-in store and on at least one other engine, apart from known differences', async () => {
    const tally = tallyOf(others);
    await holds(fc.tuple(filter, sort), async (given, finds) => {
      const collections = await filled(given);
      for (const [wanted, order] of finds) {
        const answers = await answersOf(collections, (one) => one.find(wanted).sort(order).toArray());
        tally.judge(answers, { given, filter: wanted, sort: order });
      }
    });
    tally.say('finds');
  });

  test('random updates change documents on the built-in store as on at least one other engine, apart from known differences', async () => {
    const tally = tallyOf(others);
    // The updates use simple filters, because the test above covers filters. With random filters,
    // both engines could differ for different reasons: one by a filter bug, the other by an update
    // bug.
    await holds(fc.tuple(oneOfThem, update), async (given, updates) => {
      const collections = await filled(given);
      for (const [at, [wanted, change]] of updates.entries()) {
        if (at > 0) await Promise.all(collections.map((one) => refill(one, given)));
        const answers = await answersOf(collections, async (one) => {
          const { matchedCount, modifiedCount } = await one.updateOne(
            wanted,
            change as UpdateFilter<Document>,
          );
          return { matchedCount, modifiedCount, stored: await one.find().sort({ _id: 1 }).toArray() };
        });
        tally.judge(answers, { given, filter: wanted, update: change });
      }
    });
    tally.say('updates');
  });
});

async function refill(collection: Collection, given: Asked['given']): Promise<void> {
  await collection.deleteMany({});
  await collection.insertMany(given.map((one, position) => ({ _id: position, ...one })) as Document[]);
}

/** Calls `check` with the random documents of each collection and with ten random statements. */
function holds<T>(
  statement: fc.Arbitrary<T>,
  check: (given: Asked['given'], statements: readonly T[]) => Promise<void>,
): Promise<void> {
  const ten = fc.array(statement, { minLength: PER_COLLECTION, maxLength: PER_COLLECTION });
  const property = fc.asyncProperty(documents, ten, check);
  return fc.assert(property, { seed: SEED, numRuns: STATEMENTS / PER_COLLECTION });
}

/**
 * Creates a counter of differing results. `judge` fails when both independent engines differ from
 * the built-in store without a known reason.
 */
function tallyOf(names: readonly string[]) {
  const counts: Record<string, number> = {};
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  return {
    judge([answer = '', ...theirs]: readonly string[], asked: Omit<Asked, 'answer'>): void {
      count('statements');
      names.forEach((name, at) => theirs[at] !== answer && count(`${name} differs`));
      if (theirs.includes(answer)) return;
      const [rule] =
        Object.entries(BOTH_OTHERS_ARE_WRONG).find(([, applies]) => applies({ ...asked, answer })) ?? [];
      if (rule === undefined) expect(answer, EJSON.stringify(asked)).toEqual(theirs[0]);
      count(`both differ: ${rule ?? ''}`);
    },
    say: (kind: string) => console.log(`${kind}: ${JSON.stringify(counts, null, 2)}`),
  };
}

/** Returns the results of all engines as comparable text. */
function answersOf(collections: readonly Collection[], ask: (one: Collection) => Promise<unknown>) {
  return Promise.all(
    collections.map(async (one) => {
      try {
        return EJSON.stringify(await ask(one), { relaxed: false });
      } catch (error) {
        if (error instanceof MongoServerError) return REFUSED;
        throw error;
      }
    }),
  );
}
