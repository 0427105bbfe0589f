import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { postPatiently } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { startApi } from '../support/shared-servers.ts';

const DATABASE = 'merge_kill';
const PAIRS = 12;

interface Pair {
  telephone: string;
  survivor: { contact: string };
  other: { contact: string; conversation: string };
}

/** Spec 4.7: a merge that has begun ends, even if its process dies. */
describe('merges of an API that dies', () => {
  let product: OwnProduct;
  let api: NodeProcess | undefined;
  let mongodb: MongoClient;
  const contacts = () => mongodb.db(DATABASE).collection('contacts');

  beforeAll(async () => {
    mongodb = await MongoClient.connect(inject('mongodbUri'));
    product = await startApi(DATABASE);
  });
  afterAll(async () => {
    await api?.stop();
    await product.close();
    await mongodb.close();
  });

  async function newContact(profile: object) {
    const { status, body } = await postPatiently(product.admin, '/conversations', {
      type: 'contact',
      contact: { profile },
      messages: [{ text: 'one' }, { text: 'two' }],
    });
    expect([status, body]).toEqual([201, expect.anything()]);
    return { contact: body.contact as string, conversation: body.id as string };
  }

  test('a merge is completed by a worker if the API is killed in the middle, and loses no message', async () => {
    const pairs: Pair[] = [];
    for (let at = 0; at < PAIRS; at += 1) {
      const telephone = `+3120${7_000_000 + at}`;
      const survivor = await newContact({ email: `kill-${at}@merges.example` });
      pairs.push({ telephone, survivor, other: await newContact({ telephone }) });
    }
    const merge = ({ survivor, other }: Pair) =>
      product.admin.post(`/contacts/${survivor.contact}/merge`, { contact: other.contact });
    const merging = Promise.allSettled(pairs.map(merge));
    await eventually(async () => (await contacts().countDocuments({ merging: { $exists: true } })) > 0, {
      withinMs: 60_000,
      everyMs: 1,
    });
    await product.api.kill();
    await merging;
    expect(await contacts().countDocuments({ merging: { $exists: true } })).toBeGreaterThan(0);
    await eventually(async () => (await contacts().countDocuments({ merging: { $exists: true } })) === 0, {
      withinMs: 180_000,
      everyMs: 200,
    });
    api = startNode('dist/api/main.js', { env: product.environment });
    await eventually(async () => (await fetch(`${product.origin}/readyz`).catch(() => null))?.ok, {
      withinMs: 60_000,
    });
    for (const pair of pairs) {
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
  }, 300_000);
});
