import { describe, expect, test } from 'vitest';
import { claimKey, extendHold, keepAnswer, releaseKey, yieldKey } from '../../store/cluster/idempotency.ts';
import type { HeldKey } from '../../store/cluster/idempotency.ts';
import { useStore } from '../support/use-store.ts';

/** Spec 2.8. */
describe('a hold on an Idempotency-Key that was over and taken over', () => {
  useStore();

  async function claimed(id: string): Promise<HeldKey> {
    const claim = await claimKey({ id, request: 'the same', seed: 'seed' });
    if (!claim?.mine) throw new Error('somebody else holds the key');
    return claim.record;
  }

  async function takenOver(id: string): Promise<{ slow: HeldKey; later: HeldKey }> {
    const slow = await claimed(id);
    // As where ten seconds have passed without a sign of life.
    await yieldKey(slow);
    return { slow, later: await claimed(id) };
  }

  const known = async (id: string) => (await claimKey({ id, request: 'the same', seed: 'other' }))!;

  test('has the same ids, and a holder of its own', async () => {
    const { slow, later } = await takenOver('a');
    expect(later.seed).toBe(slow.seed);
    expect(later.holder).not.toBe(slow.holder);
    expect((await known('a')).mine).toBe(false);
  });

  test('does not release, yield or answer for the later holder', async () => {
    const { slow, later } = await takenOver('b');
    expect(await releaseKey(slow)).toBe(false);
    await yieldKey(slow);
    await keepAnswer(slow, 'late');
    expect(await known('b')).toEqual({ mine: false, record: later });
    await keepAnswer(later, 'first');
    await keepAnswer(slow, 'late');
    expect(await releaseKey(slow)).toBe(false);
    expect((await known('b')).record.answer).toBe('first');
  });

  test('is not made longer', async () => {
    const { slow, later } = await takenOver('c');
    await yieldKey(later);
    await extendHold(slow);
    expect((await known('c')).mine).toBe(true);
  });

  test('leaves the later holder free to give it up', async () => {
    const { later } = await takenOver('d');
    expect(await releaseKey(later)).toBe(true);
    expect((await known('d')).record.seed).toBe('other');
  });
});
