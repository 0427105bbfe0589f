import { describe, expect, test } from 'vitest';
import type { ActiveLane } from '../../deliveries/admission.ts';
import { createAdmission, createWaitingLanes, createTenants } from '../../deliveries/admission.ts';
import { createConcurrencyLimits } from '../../deliveries/concurrency-limits.ts';
import type { AttemptResult } from '../../deliveries/concurrency-limits.ts';

const PLACES = 512;

/**
 * Takes slots for lanes of new services of a tenant until none is left. Returns the functions that
 * free them.
 */
function takeAll(
  places: ReturnType<typeof createConcurrencyLimits>,
  tenant: string,
): ((shown: AttemptResult) => boolean)[] {
  const taken: ((shown: AttemptResult) => boolean)[] = [];
  for (let n = 0; n < PLACES; n += 1) {
    const giveBack = places.take({ service: `${tenant} ${n}`, tenant });
    if (giveBack) taken.push(giveBack);
  }
  return taken;
}

describe('the concurrency slots of deliveries', () => {
  test("the concurrency slots of deliveries go to one tenant's unknown services up to a quarter, regardless of the number of services", () => {
    const places = createConcurrencyLimits();
    expect(takeAll(places, 'one')).toHaveLength(PLACES / 4);
    // The next tenant finds room, and a working service finds more.
    expect(takeAll(places, 'two').length).toBeGreaterThan(32);
    places.learn('known', 'answering');
    expect(places.take({ service: 'known', tenant: 'three' })).not.toBeNull();
  });

  test('the concurrency slots of deliveries are never all taken by failing or unknown services', () => {
    const places = createConcurrencyLimits();
    const taken = Array.from({ length: 300 }, (_, tenant) => takeAll(places, `tenant ${tenant}`)).flat();
    expect(taken.length).toBeLessThanOrEqual(PLACES / 2);
    for (const giveBack of taken) giveBack({ answers: false });
    const again = Array.from({ length: 300 }, (_, tenant) => takeAll(places, `tenant ${tenant}`)).flat();
    expect(again.length).toBeLessThanOrEqual(PLACES / 2);
  });

  test('the concurrency slots of deliveries are limited to a half for the working services of one tenant', () => {
    const places = createConcurrencyLimits();
    for (let n = 0; n < PLACES; n += 1) places.learn(`one ${n}`, 'answering');
    expect(takeAll(places, 'one')).toHaveLength(PLACES / 2);
  });

  test('the concurrency slots of deliveries go to six organizations of one tenant up to a quarter, also before the tenant is cached', async () => {
    const withTenants = createTenants((id) => Promise.resolve({ path: ['root', id[0]!, id] }));
    let running = 0;
    const run = () => {
      running += 1;
      return new Promise<AttemptResult>(() => undefined);
    };
    const admission = createAdmission({ run, ended: () => undefined });
    const offerAll = async (organizations: string[]) => {
      const rows = organizations.flatMap((organization) =>
        Array.from({ length: PLACES / 4 }, (_, n) => ({
          ...{ _id: `${organization} ${n}`, lane: `${organization} ${n}`, service: `${organization} ${n}` },
          ...{ organization, shard: 0 },
        })),
      );
      for (const row of await withTenants(rows)) admission.offer(row);
      admission.start();
    };
    await offerAll(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    expect(running).toBe(PLACES / 4);
    await offerAll(['b1']);
    expect(running).toBeGreaterThan(PLACES / 4 + 32);
  });

  test('the concurrency slots of deliveries report no result for a service whose state was reset after they were taken', () => {
    const places = createConcurrencyLimits();
    const giveBack = places.take({ service: 's', tenant: 't' });
    places.forget('s');
    giveBack?.({ answers: false });
    expect(places.standing('s')).toBe('unknown');
  });

  test("the concurrency slots of deliveries go to tenants in round robin, and to each tenant's services in round robin", () => {
    const waiting = createWaitingLanes();
    const lane = (tenant: string, service: string, id: string): ActiveLane => {
      return { id, service, tenant, shard: 0, rows: new Set(), again: false };
    };
    for (const id of ['a1', 'a2', 'a3']) waiting.add(lane('a', 'a of one', id));
    waiting.add(lane('a', 'a of two', 'a4'));
    waiting.add(lane('b', 'b of one', 'b1'));
    const begun: string[] = [];
    waiting.admit(({ id }) => begun.length < 4 && begun.push(id) > 0);
    expect(begun).toEqual(['a1', 'b1', 'a4', 'a2']);
    expect(waiting.length('a of one')).toBe(1);
    expect(waiting.drop(0).map(({ id }) => id)).toEqual(['a3']);
    expect(waiting.length('a of one')).toBe(0);
  });
});
