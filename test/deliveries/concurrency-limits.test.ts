import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AnswerTurns, ConcurrencyLimits } from '../../deliveries/concurrency-limits.ts';
import type { ObservedState } from '../../deliveries/concurrency-limits.ts';
import { Scheduler, Tenants } from '../../deliveries/scheduler.ts';

const PLACES = 512;

/**
 * Takes one slot for each of up to 512 services of a tenant, while slots are left. Returns the
 * functions that free the slots.
 */
function takeAll(limits: ConcurrencyLimits, tenant: string): ((observed: ObservedState) => boolean)[] {
  const taken: ((observed: ObservedState) => boolean)[] = [];
  for (let n = 0; n < PLACES; n += 1) {
    const path = [tenant, `${tenant} ${n}`] as const;
    if (limits.hasRoomFor(path)) taken.push(limits.take(path));
  }
  return taken;
}

describe('the concurrency slots of deliveries', () => {
  test('new services of one tenant get at most a quarter of the delivery slots, regardless of the number of services', () => {
    const limits = new ConcurrencyLimits();
    expect(takeAll(limits, 'one')).toHaveLength(PLACES / 4);
    // Another tenant still gets slots, and a working service gets a slot as well.
    expect(takeAll(limits, 'two').length).toBeGreaterThan(32);
    limits.learn('known', 'answering');
    expect(limits.hasRoomFor(['three', 'known'])).toBe(true);
  });

  test('failing and new services together get at most half of the delivery slots', () => {
    const limits = new ConcurrencyLimits();
    const taken = Array.from({ length: 300 }, (_, tenant) => takeAll(limits, `tenant ${tenant}`)).flat();
    expect(taken.length).toBeLessThanOrEqual(PLACES / 2);
    for (const free of taken) free('failing');
    const again = Array.from({ length: 300 }, (_, tenant) => takeAll(limits, `tenant ${tenant}`)).flat();
    expect(again.length).toBeLessThanOrEqual(PLACES / 2);
  });

  test('working services of one tenant get at most half of the delivery slots', () => {
    const limits = new ConcurrencyLimits();
    for (let n = 0; n < PLACES; n += 1) limits.learn(`one ${n}`, 'answering');
    expect(takeAll(limits, 'one')).toHaveLength(PLACES / 2);
  });

  test('six organizations of one tenant together get at most a quarter of the delivery slots, also before the tenant is cached', async () => {
    const tenants = new Tenants((id) => Promise.resolve({ path: ['root', id[0]!, id] }));
    let running = 0;
    const run = () => {
      running += 1;
      return new Promise<ObservedState>(() => undefined);
    };
    const scheduler = new Scheduler({ run, ended: () => undefined });
    const offerAll = async (organizations: string[]) => {
      const rows = organizations.flatMap((organization) =>
        Array.from({ length: PLACES / 4 }, (_, n) => ({
          ...{ _id: `${organization} ${n}`, lane: `${organization} ${n}`, service: `${organization} ${n}` },
          ...{ organization, shard: 0 },
        })),
      );
      for (const row of await tenants.assign(rows)) scheduler.offer(row);
      scheduler.start();
    };
    await offerAll(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    expect(running).toBe(PLACES / 4);
    await offerAll(['b1']);
    expect(running).toBeGreaterThan(PLACES / 4 + 32);
  });

  test('the result of an attempt does not change the state of a service that was reset after the attempt took its delivery slot', () => {
    const limits = new ConcurrencyLimits();
    const free = limits.take(['t', 's']);
    limits.forget('s');
    free('failing');
    expect(limits.state('s')).toBe('unknown');
  });

  test('delivery slots go to tenants in round robin, and within a tenant to services in round robin', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const run = ({ id }: { id: string }) => {
      begun.push(id);
      return new Promise<ObservedState>((resolve) => ends.push(() => resolve('failing')));
    };
    const scheduler = new Scheduler({ run, ended: () => undefined });
    const offer = (tenant: string, service: string, id: string) =>
      scheduler.offer({ ...{ _id: id, lane: id, service, tenant }, ...{ organization: tenant, shard: 0 } });
    for (const service of ['a of one', 'a of two', 'b of one']) scheduler.limits.learn(service, 'answering');
    for (const id of ['a1', 'a2', 'a3']) offer('a', 'a of one', id);
    offer('a', 'a of two', 'a4');
    offer('b', 'b of one', 'b1');
    scheduler.start();
    expect(begun).toEqual(['a1', 'b1', 'a4', 'a2', 'a3']);
    offer('a', 'a of one', 'waits');
    const settled = scheduler.settle(0);
    for (const end of ends) end();
    await settled;
    expect(begun).not.toContain('waits');
    expect(scheduler.isBusyWith('a of one')).toBe(false);
  });
});

describe('the turns of long answers', () => {
  const COST_MS = 20;
  const { signal } = new AbortController();

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Returns how many long answers of 40 services of a tenant are read within a minute. */
  async function countRead(turns: AnswerTurns, tenant: string): Promise<() => number> {
    let read = 0;
    for (let service = 0; service < 40; service += 1) {
      const path = [tenant, `${tenant} ${service}`] as const;
      const readOn = async (): Promise<void> => {
        const end = await turns.begin(path, signal);
        read += 1;
        turns.charge(path, COST_MS);
        end();
        return readOn();
      };
      void readOn();
    }
    await vi.advanceTimersByTimeAsync(0);
    return () => read;
  }

  test('long answers of many services of one tenant use a tenth of the thread, and those of another tenant are read at once', async () => {
    const turns = new AnswerTurns(() => performance.now());
    const read = await countRead(turns, 'busy');
    const atOnce = read();
    expect(atOnce).toBeLessThanOrEqual(60);
    await vi.advanceTimersByTimeAsync(60_000);
    const spentMs = (read() - atOnce) * COST_MS;
    expect(spentMs).toBeGreaterThan(5_500);
    expect(spentMs).toBeLessThan(6_500);
    const other = await Promise.race([
      turns.begin(['other', 's'], signal),
      vi.advanceTimersByTimeAsync(0).then(() => 'waits'),
    ]);
    expect(other).not.toBe('waits');
  });

  test('a tenant whose receivers send answers without end waits before its next deliveries, and no other tenant waits', () => {
    const turns = new AnswerTurns(() => 0);
    const busy = ['busy', 's'] as const;
    let attempts = 0;
    for (; attempts < 10_000 && !turns.isOverdrawn(busy); attempts += 1) turns.charge(busy, 5);
    expect(attempts).toBeLessThanOrEqual(201);
    expect(turns.isOverdrawn(['other', 's'])).toBe(false);
  });

  test('an aborted attempt leaves its turn to the next answer', async () => {
    const turns = new AnswerTurns(() => performance.now());
    const path = ['one', 's'] as const;
    const ends = await Promise.all([turns.begin(path, signal), turns.begin(path, signal)]);
    const abort = new AbortController();
    const aborted = turns.begin(path, abort.signal);
    abort.abort(new Error('timed out'));
    await expect(aborted).rejects.toThrow('timed out');
    for (const end of ends) end();
    await expect(turns.begin(path, signal)).resolves.toBeTypeOf('function');
  });
});
