import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { untilStarted } from '../support/product.ts';
import type { OwnProduct } from '../support/product.ts';
import { startApi } from '../support/shared-servers.ts';

const DATABASE = 'merge_kill';
const PAIRS = 6;

interface Pair {
  telephone: string;
  survivor: { contact: string };
  other: { contact: string; conversation: string };
}

/** Spec 4.7: a merge that has begun ends, even if its process dies. */
describe('merges of an API that dies', () => {
  let product: OwnProduct;
  let api: NodeProcess;
  let mongodb: MongoClient;
  let pairs = 0;
  const countMerging = () =>
    mongodb
      .db(DATABASE)
      .collection('contacts')
      .countDocuments({ merging: { $exists: true } });

  beforeAll(async () => {
    mongodb = await MongoClient.connect(inject('mongodbUri'));
    product = await startApi(DATABASE);
    ({ api } = product);
  });
  afterAll(async () => {
    await api.stop();
    await product.close();
    await mongodb.close();
  });

  async function newContact(profile: object) {
    const { status, body } = await product.admin.post('/conversations', {
      type: 'contact',
      contact: { profile },
      messages: [{ text: 'one' }, { text: 'two' }],
    });
    expect([status, body]).toEqual([201, expect.anything()]);
    return { contact: body.contact as string, conversation: body.id as string };
  }

  async function newPairs(count: number): Promise<Pair[]> {
    const made: Pair[] = [];
    for (let at = 0; at < count; at += 1) {
      const telephone = `+3120${7_000_000 + (pairs += 1)}`;
      const survivor = await newContact({ email: `kill-${pairs}@merges.example` });
      made.push({ telephone, survivor, other: await newContact({ telephone }) });
    }
    return made;
  }
  const merge = ({ survivor, other }: Pair) =>
    product.admin.once.post(`/contacts/${survivor.contact}/merge`, { contact: other.contact });

  /** Merges the pairs, and kills the API once a merge has begun, unless all merges end first. */
  async function killDuringMerges(merged: Pair[]): Promise<void> {
    const ended: unknown[] = [];
    const merging = merged.map((pair) =>
      merge(pair).then(
        (response) => ended.push(response),
        (error: unknown) => ended.push(error),
      ),
    );
    const haveEnded = () => ended.length === merged.length;
    await eventually(async () => haveEnded() || (await countMerging()) > 0, { everyMs: 1 });
    if (haveEnded()) return;
    await api.kill();
    await Promise.all(merging);
  }

  async function restartApi(): Promise<void> {
    await api.kill();
    api = startNode('dist/api/main.js', { env: product.environment });
    await untilStarted([api], async () => (await fetch(`${product.origin}/readyz`)).ok);
  }

  test('a merge is completed by a worker if the API is killed in the middle, and loses no message', async () => {
    const all = await newPairs(PAIRS);
    await killDuringMerges(all);
    // All merges may end before the kill.
    while ((await countMerging()) === 0) {
      await restartApi();
      const more = await newPairs(PAIRS);
      all.push(...more);
      await killDuringMerges(more);
    }
    await eventually(async () => (await countMerging()) === 0, { withinMs: 300_000, everyMs: 200 });
    await restartApi();
    for (const pair of all) {
      const left = await product.admin.get(`/contacts/${pair.other.contact}`);
      if (left.status === 200) {
        const { status, body } = await merge(pair);
        expect([status, body]).toEqual([200, expect.anything()]);
      }
      const survivor = (await product.admin.get(`/contacts/${pair.survivor.contact}`)).body;
      expect(survivor.profile.telephone).toBe(pair.telephone);
      const passed = (await product.admin.get(`/conversations/${pair.other.conversation}`)).body;
      expect(passed.contact).toBe(pair.survivor.contact);
      const messages = await product.admin.get(
        `/messages?conversation=${pair.other.conversation}&sort=sequence`,
      );
      expect(messages.body.map(({ text, sequence, contact }: any) => [text, sequence, contact])).toEqual([
        ['one', 1, pair.survivor.contact],
        ['two', 2, pair.survivor.contact],
      ]);
    }
  }, 600_000);
});
