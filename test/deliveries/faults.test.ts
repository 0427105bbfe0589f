import fc from 'fast-check';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addService, queue, startDrain, findStatuses } from '../support/drain.ts';
import type { RunningDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import {
  respondWith,
  respondAfter,
  closeAtOnce,
  closeHalfWay,
  flood,
  hang,
  script,
  startReceiver,
} from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

const TIMEOUT_MS = 250;
const MIB = 1024 * 1024;

let trap: Receiver;

useStore();

beforeAll(async () => {
  trap = await startReceiver();
});

afterAll(() => trap.close());

/** Responses of a receiver, good and bad. */
const BEHAVIOURS: Record<string, () => Behaviour> = {
  accepts: () => respondWith(200),
  accepts_in_other_words: () => respondWith(204),
  fails: () => respondWith(500),
  asks_for_patience: () => respondWith(429, '', { 'retry-after': '1' }),
  redirects: () => respondWith(302, '', { location: trap.url }),
  hangs: () => hang,
  closes_at_once: () => closeAtOnce,
  closes_half_way: () => closeHalfWay,
  floods: () => flood(100 * MIB),
  answers_too_late: () => respondAfter(TIMEOUT_MS + 100),
};

/** Faults of the senders. */
const FAULTS = ['nothing', 'shutdown', 'takeover'] as const;

const scenario = fc.record({
  receivers: fc.array(fc.array(fc.constantFrom(...Object.keys(BEHAVIOURS)), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 4,
  }),
  conversations: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  faults: fc.array(
    fc.record({ kind: fc.constantFrom(...FAULTS), afterMs: fc.integer({ min: 0, max: 300 }) }),
    {
      maxLength: 2,
    },
  ),
});

interface Sent {
  conversation: string;
  sequence: number;
}

/** Returns the sequences of each conversation in order of their first arrival. */
function firstArrivals({ received }: Receiver): Map<string, number[]> {
  const arrived = new Map<string, number[]>();
  for (const { body } of received) {
    const { conversation, sequence } = JSON.parse(body) as Sent;
    const before = arrived.get(conversation) ?? [];
    if (!before.includes(sequence)) arrived.set(conversation, [...before, sequence]);
  }
  return arrived;
}

function startFastDrain(): RunningDrain {
  return startDrain({ timeoutMs: TIMEOUT_MS, retrySeconds: Array<number>(300).fill(0.03) });
}

/** Applies the faults to the senders one after the other. Returns the remaining senders. */
async function suffer(faults: { kind: (typeof FAULTS)[number]; afterMs: number }[]): Promise<RunningDrain[]> {
  const drains = [startFastDrain()];
  for (const { kind, afterMs } of faults) {
    await wait(afterMs);
    if (kind === 'shutdown') await drains.pop()?.stop();
    if (kind !== 'nothing') drains.push(startFastDrain());
  }
  return drains;
}

describe('misbehaving receivers and failing senders', () => {
  test('despite misbehaving receivers and failing senders, every event reaches every service, first arrivals are in order per conversation, and no redirect is followed', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ receivers, conversations, faults }) => {
        const ends = await Promise.all(receivers.map(() => startReceiver()));
        const services = await Promise.all(ends.map(({ url }) => addService(url)));
        for (const [at, names] of receivers.entries()) {
          const steps = names.map((name) => BEHAVIOURS[name]?.() ?? respondWith(200));
          ends[at]?.behave(script(...(steps as [Behaviour]), respondWith(200)));
        }
        for (const { _id } of services) for (const count of conversations) await queue(_id, { count });
        const drains = await suffer(faults);
        try {
          for (const { _id } of services) {
            await eventually(
              async () => (await findStatuses(_id)).every((status) => status === 'delivered'),
              {
                withinMs: 100_000,
                everyMs: 20,
              },
            );
          }
          for (const end of ends) {
            const arrived = [...firstArrivals(end).values()];
            expect(arrived.map(({ length }) => length).sort()).toEqual([...conversations].sort());
            for (const one of arrived) expect(one).toEqual(one.map((_, at) => at + 1));
          }
          expect(trap.received).toEqual([]);
        } finally {
          await Promise.all(drains.map((drain) => drain.stop()));
          await Promise.all(ends.map((end) => end.close()));
        }
      }),
      { numRuns: Number(process.env['FAULT_RUNS'] ?? 8), endOnFailure: true },
    );
  });
});
