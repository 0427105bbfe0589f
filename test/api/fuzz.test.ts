import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { Client } from '../support/client.ts';
import { oddRequests } from '../support/odd-requests.ts';
import type { Operation } from '../support/odd-requests.ts';
import type { Product } from '../support/product.ts';

const SECONDS = Number(process.env['PARLANCE_FUZZ_SECONDS'] ?? 40);
/** The same requests in every run of the suite; `PARLANCE_FUZZ_SEED=$RANDOM PARLANCE_FUZZ_SECONDS=600` looks for others. */
const SEED = Number(process.env['PARLANCE_FUZZ_SEED'] ?? 1_350_159_860);

interface Described {
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: object }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

/** What schemathesis does: requests made from the document, right and wrong ones. Every answer is held against the document by the client. */
describe('the API', () => {
  let product: Product;
  let caller: Client;
  let idsOf: Record<string, string[]>;

  beforeAll(async () => {
    product = await startApi('fuzz');
    caller = await newUser(product, { role: 'admin' });
    const made = async (resource: string, body: object) => {
      const { status, body: record } = await product.admin.post(`/${resource}`, body);
      expect(status, `${resource} ${JSON.stringify(record)}`).toBe(201);
      (idsOf[resource] ??= []).push(record.id as string);
      return record.id as string;
    };
    idsOf = {};
    const conversation = await made('conversations', { name: 'odd' });
    // Some are deleted on the way.
    for (const n of [1, 2, 3, 4]) {
      await made('conversations', { name: `odd ${n}` });
      await made('messages', { conversation, text: 'odd' });
      await made('organizations', { name: 'odd' });
      await made('users', { role: 'agent' });
      await made('contacts', { profile: { email: `odd${n}@example.com` } });
      await made('forms', { name: 'odd', fields: [{ name: 'a', key: 'a' }] });
      await made('channels', { name: 'odd' });
      await made('eventtypes', { name: `odd.event${n}`, jsonata: '$' });
      await made('kbitems', { title: 'odd' });
    }
  });
  afterAll(() => product.close());

  test('answers every request, however odd, as its document says, and never with 5xx', async () => {
    const document = (await (await fetch(`${product.origin}/openapi.json`)).json()) as Document;
    const operations = operationsOf(document.paths);
    expect(operations.length).toBeGreaterThan(40);
    const asked = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        oddRequests({
          operations,
          schemas: document.components.schemas,
          idsOf,
          ids: Object.values(idsOf).flat(),
        }),
        async ({ method, path, body, headers }) => {
          const answer = await caller.request(method, path, body, headers);
          asked.set(answer.status, (asked.get(answer.status) ?? 0) + 1);
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
        },
      ),
      {
        seed: SEED,
        numRuns: 100_000,
        interruptAfterTimeLimit: SECONDS * 1000,
        markInterruptAsFailure: false,
        endOnFailure: true,
      },
    );
    console.log(
      `fuzz: ${[...asked]
        .sort(([a], [b]) => a - b)
        .map(([status, n]) => `${n} × ${status}`)
        .join(', ')}`,
    );
    expect(Math.max(...asked.values())).toBeGreaterThan(5);
  }, 240_000);
});

/** All but streams, which do not end, and what would end the caller's own session. */
function operationsOf(paths: Document['paths']): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !('text/event-stream' in (responses['200']?.content ?? {})))
      .map(([method, { parameters, requestBody }]) => {
        const [body] = Object.entries(requestBody?.content ?? {});
        return {
          method: method.toUpperCase(),
          path,
          parameters: parameters.flatMap((one) =>
            one.in === 'query' && one.name ? [one.name] : shared(one.$ref),
          ),
          ...(body ? { body: { type: body[0], schema: body[1].schema } } : {}),
        };
      }),
  );
}

function shared(reference = ''): string[] {
  const name = reference.split('/').pop() ?? '';
  return ['limit', 'offset', 'sort', 'select', 'populate'].filter((one) => one === name);
}
