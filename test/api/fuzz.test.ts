import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResourceName } from '../../domain/resources.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { startFuzzLog } from '../support/fuzz-log.ts';
import { oddRequests } from '../support/odd-requests.ts';
import type { OddRequest, ApiOperation } from '../support/odd-requests.ts';
import type { Product } from '../support/product.ts';

/**
 * The seed of the requests, by default the same in every run. `PARLANCE_FUZZ_SEED=$RANDOM
 * PARLANCE_FUZZ_SECONDS=600` tries other requests for ten minutes.
 */
const SEED = Number(process.env['PARLANCE_FUZZ_SEED'] ?? 1_350_159_860);
/** The number of requests of a long run, which also measures the memory of the API. */
const REQUESTS = Number(process.env['PARLANCE_FUZZ_REQUESTS'] ?? 0);
/** The time limit in seconds. 0 disables it, which is the default of a long run. */
const SECONDS = Number(process.env['PARLANCE_FUZZ_SECONDS'] ?? (REQUESTS > 0 ? 0 : 20));
/**
 * The maximum number of requests, except in a long run. If `PARLANCE_FUZZ_SECONDS` is set, the time
 * limit usually ends the test first.
 */
const MAX_REQUESTS = process.env['PARLANCE_FUZZ_SECONDS'] === undefined ? 3_000 : 100_000;
const TOGETHER = 4;
const TEST_TIMEOUT_MS = REQUESTS > 0 ? 3 * 3600_000 : 240_000;
/**
 * The most and the fewest ids kept per resource. Above the maximum, a new id replaces an old id,
 * because older records have more often been deleted. The first id stays.
 */
const MAX_KNOWN = 24;
const MIN_KNOWN = 5;
/**
 * Resources that have records before the first request. A deleted record is replaced if few are
 * left.
 */
const RESOURCES: readonly string[] = [
  'conversations',
  'messages',
  'organizations',
  'users',
  'contacts',
  'forms',
  'channels',
  'eventtypes',
  'kbitems',
] satisfies ResourceName[];

interface Described {
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: object }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

/**
 * Generates valid and invalid requests from the API description, as schemathesis does. The client
 * checks every response against the description.
 */
describe('the API', () => {
  let product: Product;
  let caller: KeyHolder;
  const idsOf: Record<string, string[]> = {};

  const know = (resource: string, id: unknown) => {
    const known = (idsOf[resource] ??= []);
    if (typeof id === 'string' && id !== caller.user) known.push(id);
    // Keeps the first id, so that requests also hit a long conversation.
    if (known.length > MAX_KNOWN) known.splice(1, 1);
  };

  async function make(resource: string): Promise<void> {
    const { status, body } = await product.admin.post(`/${resource}`, newRecord(resource, idsOf));
    // Another request may have just deleted the conversation of a new message.
    if (status === 201) know(resource, body.id);
  }

  /** Undoes a move or a demotion of the caller, after which every request would be refused. */
  async function restoreCaller(): Promise<void> {
    const { organization } = product;
    await product.admin.request('PATCH', `/users/${caller.user}`, { role: 'admin', organization });
  }

  /** Removes the id of a deleted record, and creates another record if few ids are left. */
  async function forget(resource: string, id: string): Promise<void> {
    const left = (idsOf[resource] ?? []).filter((one) => one !== id);
    idsOf[resource] = left;
    if (left.length < MIN_KNOWN && RESOURCES.includes(resource)) await make(resource);
  }

  beforeAll(async () => {
    product = await sharedApi('fuzz');
    caller = await newUser(product, { role: 'admin' });
    for (const resource of RESOURCES) {
      for (let count = 0; count < MIN_KNOWN; count += 1) await make(resource);
      expect(idsOf[resource]).toHaveLength(MIN_KNOWN);
    }
  });
  afterAll(() => product.close());

  async function ask({ operation: { method, streams }, path, body, headers }: OddRequest): Promise<number> {
    if (streams) return beginningOf(`${product.base}${path}`, caller.token);
    const answer = await caller.request(method, path, body, headers);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
    if (method === 'PATCH' && path.startsWith('/users/me') && answer.status === 200) await restoreCaller();
    const [, resource = '', id = '', further] = path.split(/[/?]/);
    if (answer.status === 201 && further === undefined) know(resource, answer.body?.id);
    if (answer.status === 204 && method === 'DELETE' && further === undefined) await forget(resource, id);
    return answer.status;
  }

  test(
    'the API responds to random valid and invalid requests as /openapi.json describes, and never with 5xx',
    async () => {
      const document = (await (await fetch(`${product.origin}/openapi.json`)).json()) as Document;
      const operations = operationsOf(document.paths);
      expect(operations.length).toBeGreaterThan(40);
      const log = startFuzzLog(product, { seed: SEED, requests: REQUESTS });
      const source = {
        operations,
        schemas: document.components.schemas,
        idsOf,
        get ids() {
          return Object.values(idsOf).flat();
        },
      };
      const odd = fc.array(oddRequests(source), { minLength: TOGETHER, maxLength: TOGETHER });
      await fc.assert(
        fc.asyncProperty(odd, async (requests) => {
          const statuses = await Promise.all(requests.map(ask));
          requests.forEach(({ operation }, at) => log.note(operation, statuses[at] ?? 0));
          await log.sample();
        }),
        {
          seed: SEED,
          numRuns: Math.ceil((REQUESTS || MAX_REQUESTS) / TOGETHER),
          ...(SECONDS > 0 ? { interruptAfterTimeLimit: SECONDS * 1000 } : {}),
          markInterruptAsFailure: false,
          endOnFailure: true,
        },
      );
      await log.finish();
      expect(log.asked()).toBeGreaterThan(100);
      if (REQUESTS > 0) {
        const names = operations.map(({ method, path }) => `${method} ${path}`);
        expect(log.operations().sort()).toEqual(names.sort());
        log.expectNoGrowth();
      }
      expect((await client(product.base, product.token).get('/users/me')).status).toBe(200);
    },
    TEST_TIMEOUT_MS,
  );
});

async function beginningOf(url: string, token: string): Promise<number> {
  const abort = new AbortController();
  const { status } = await fetch(url, {
    headers: { Authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  abort.abort();
  expect(status, url).toBeLessThan(500);
  return status;
}

function operationsOf(paths: Document['paths']): ApiOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => {
      const [body] = Object.entries(requestBody?.content ?? {});
      return {
        method: method.toUpperCase(),
        path,
        streams: 'text/event-stream' in (responses['200']?.content ?? {}),
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

let made = 0;

function newRecord(resource: string, idsOf: Record<string, string[]>): object {
  const name = `odd.number${made++}`;
  switch (resource) {
    case 'messages':
      return { conversation: idsOf['conversations']?.[0], text: name };
    case 'users':
      return { role: 'agent' };
    case 'contacts':
      return { profile: { email: `${name}@example.com` } };
    case 'eventtypes':
      return { name, jsonata: '$' };
    case 'kbitems':
      return { title: name };
    default:
      return { name };
  }
}
