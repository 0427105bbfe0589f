import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '@parlance/client';
import { createConversation } from '../support/client.ts';
import type { OwnProduct } from '../support/product.ts';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';

const LINES = 10_000;
/** Every fifth line creates a contact. The others are refused, as rows of a messy import are. */
const CREATED = LINES / 5;
/** A neighbour that waited for the batch would post once or twice before its end. */
const MIN_POSTS = 10;

/** Spec 2.11: the lines of a batch share the capacity of a process fairly. */
describe('a batch of 10,000 lines', () => {
  let product: OwnProduct;
  let importer: KeyHolder;
  let neighbour: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await startApi('attack_batches');
    const newOrganization = async (name: string) =>
      (await product.admin.post('/organizations', { name })).body.id as string;
    importer = await newUser(product, { role: 'bot', organization: await newOrganization('importer') });
    const organization = await newOrganization('neighbour');
    neighbour = await newUser(product, { role: 'agent', organization });
    conversation = await createConversation(product.admin, { organization });
  });

  afterAll(() => product.close());

  async function runBatch(): Promise<Record<number, number>> {
    const { batch } = createClient({ url: product.origin, token: importer.token });
    const lines = Array.from({ length: LINES }, (_, at) => ({
      path: '/contacts',
      body: { externalId: at % 5 === 0 ? `row-${at}` : at },
    }));
    const statuses: Record<number, number> = {};
    for await (const { status } of batch(lines)) statuses[status] = (statuses[status] ?? 0) + 1;
    return statuses;
  }

  test('a batch of 10,000 lines returns a result for every line, and every post of an honest neighbour during the batch succeeds', async () => {
    const running = { batch: true };
    const batch = runBatch().finally(() => (running.batch = false));
    const statuses: number[] = [];
    while (running.batch) {
      const text = `post ${statuses.length}`;
      statuses.push((await neighbour.post('/messages', { conversation, text })).status);
    }
    expect(await batch).toEqual({ 201: CREATED, 400: LINES - CREATED });
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(MIN_POSTS);
    const path = `/messages?conversation=${conversation}&sort=-sequence&limit=1`;
    expect((await product.admin.get(path)).body).toMatchObject([{ sequence: statuses.length }]);
  }, 600_000);
});
