import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import { afterEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../application/posting/encryption.ts';
import { newSeed } from '../../application/posting/id-generator.ts';
import { withIdempotencyKey, toCacheEntry } from '../../api/pipeline/idempotency.ts';
import { serializeResponse } from '../../api/pipeline/response.ts';
import type { KeyedRequest } from '../../api/pipeline/idempotency.ts';
import {
  claimKey,
  extendClaim,
  storeResponse,
  releaseKey,
  yieldKey,
} from '../../store/cluster/idempotency.ts';
import type { ClaimedKey } from '../../store/cluster/idempotency.ts';
import { eventModel } from '../../store/records/business-events.ts';
import { findEventByKey } from '../../store/records/find-events.ts';
import { eventually } from '../support/eventually.ts';
import { DEADLINES } from '../support/product.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const CLAIM_MS = DEADLINES.keyClaim;

/** Spec 2.8. */
describe('an expired claim on an Idempotency-Key', () => {
  async function claimed(id: string): Promise<ClaimedKey> {
    const claim = await claimKey({ id, request: 'the same', seed: 'seed' }, CLAIM_MS);
    if (!claim?.mine) throw new Error('somebody else holds the key');
    return claim.record;
  }

  async function takenOver(id: string): Promise<{ slow: ClaimedKey; later: ClaimedKey }> {
    const slow = await claimed(id);
    // Simulates ten seconds without an extension of the claim.
    await yieldKey(slow);
    return { slow, later: await claimed(id) };
  }

  const known = async (id: string) => (await claimKey({ id, request: 'the same', seed: 'other' }, CLAIM_MS))!;

  test('an expired claim on an Idempotency-Key passes its id seed to the next holder of the key', async () => {
    const { slow, later } = await takenOver('a');
    expect(later.seed).toBe(slow.seed);
    expect(later.holder).not.toBe(slow.holder);
    expect((await known('a')).mine).toBe(false);
  });

  test('the former holder of an expired claim on an Idempotency-Key cannot release the key, yield it or store a response', async () => {
    const { slow, later } = await takenOver('b');
    expect(await releaseKey(slow)).toBe(false);
    await yieldKey(slow);
    await storeResponse(slow, 'late');
    expect(await known('b')).toEqual({ mine: false, record: later });
    await storeResponse(later, 'first');
    await storeResponse(slow, 'late');
    expect(await releaseKey(slow)).toBe(false);
    expect((await known('b')).record.answer).toBe('first');
  });

  test('the former holder of an expired claim on an Idempotency-Key cannot extend the claim of the next holder', async () => {
    const { slow, later } = await takenOver('c');
    await yieldKey(later);
    await extendClaim(slow, CLAIM_MS);
    expect((await known('c')).mine).toBe(true);
  });

  test('the new holder of an expired claim on an Idempotency-Key can release the key', async () => {
    const { later } = await takenOver('d');
    expect(await releaseKey(later)).toBe(true);
    expect((await known('d')).record.seed).toBe('other');
  });
});

describe('a hundred repeats of a running request', () => {
  const WAITERS = 100;
  const seal = createEncryption('a secret that is long enough for tests of the product');
  const answer = serializeResponse({ status: 201, body: { made: 'once' } });
  let statements: string[] = [];

  const requestOf = (key: string, run: KeyedRequest['run']): KeyedRequest => {
    return { key, identity: 'the same', from: 'Idempotency-Key', caller: 'somebody', run };
  };
  const startAll = (request: KeyedRequest) =>
    Promise.all(Array.from({ length: WAITERS }, () => withIdempotencyKey(request, seal, DEADLINES)));

  function count(): void {
    statements = [];
    mongoose.set('debug', (collection: string, method: string) => {
      if (collection === 'idempotency') statements.push(method);
    });
  }
  afterEach(() => void mongoose.set('debug', false));

  test('a hundred repeats of a running request cause no further statements at the store and run the request once', async () => {
    let runs = 0;
    let finish: () => void = () => undefined;
    const request = requestOf('alone', async () => {
      runs += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      return answer;
    });
    count();
    const answers = startAll(request);
    await eventually(() => runs === 1);
    finish();
    expect((await answers).map(({ status }) => status)).toEqual(Array(WAITERS).fill(201));
    expect([runs, statements.length]).toEqual([1, 2]);
  });

  test('a request that is repeated after its process died counts times from the first receipt', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const dead = await claimKey(
      { id: sha256('somebody dead'), request: sha256('the same'), seed: newSeed() },
      CLAIM_MS,
    );
    await yieldKey(dead!.record);
    const received: string[] = [];
    const run: KeyedRequest['run'] = (_, receivedAt) => {
      received.push(receivedAt);
      return Promise.resolve(answer);
    };
    await withIdempotencyKey(requestOf('dead', run), seal, DEADLINES);
    expect(received).toEqual([dead!.record.createdAt.toISOString()]);
  });

  test('a hundred repeats of a request that is running in another process share their polls of the store', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const elsewhere = await claimKey(
      { id: sha256('somebody elsewhere'), request: sha256('the same'), seed: 'seed' },
      CLAIM_MS,
    );
    count();
    const answers = startAll(requestOf('elsewhere', () => Promise.reject(new Error('not expected'))));
    const polls = () => statements.filter((method) => method === 'findOne').length;
    await eventually(() => polls() >= 3);
    await storeResponse(elsewhere!.record, seal.encrypt(toCacheEntry(answer)));
    expect((await answers).map(({ status }) => status)).toEqual(Array(WAITERS).fill(201));
    expect(statements.length).toBeLessThan(WAITERS);
  });
});

test('the digest of a signed body finds its event for 24 hours, the id of a sender as long as the event is kept', async () => {
  const hour = 60 * 60 * 1000;
  const added = (id: string, key: string, hoursAgo: number) =>
    eventModel.collection.insertOne({
      _id: id,
      key,
      status: 'processed',
      createdAt: new Date(Date.now() - hoursAgo * hour),
    } as never);
  await Promise.all([added('event-1', 'young', 23), added('event-2', 'old', 25)]);
  const find = async (key: object) => (await findEventByKey(key as { digest: string }))?._id;
  expect(await find({ digest: 'young', isSenders: true, isDigest: true })).toBe('event-1');
  expect(await find({ digest: 'old', isSenders: true, isDigest: true })).toBeUndefined();
  expect(await find({ digest: 'old', isSenders: true })).toBe('event-2');
  expect(await find({ digest: 'young' })).toBeUndefined();
});
