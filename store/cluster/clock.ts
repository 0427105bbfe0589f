import mongoose from 'mongoose';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import type { RepeatingTask } from '../../platform/concurrency/repeating-task.ts';

const MEASURE_EVERY_MS = 10_000;
const WRONG_MS = 60_000;

/** The store's clock less this process' monotonic one, in milliseconds. */
let offsetMs = machineOffset();
let isMeasured = false;
let measuring: RepeatingTask | undefined;

/**
 * The time by the store's clock, in milliseconds since 1970: the one clock by which all processes
 * agree on what is due, what is over and who was seen when. It runs on evenly when the clock of
 * this machine is set, and while the store does not answer. Before the store was first asked, it is
 * this machine's.
 */
export function storeNow(): number {
  return Math.floor(offsetMs + performance.now());
}

/** Reads both clocks within one millisecond. A process that is halted between them tries again. */
function machineOffset(): number {
  for (;;) {
    const before = performance.now();
    const offset = Date.now() - before;
    if (performance.now() - before < 1) return offset;
  }
}

/** The same as a date. */
export function storeDate(): Date {
  return new Date(storeNow());
}

/** The clock of this machine, by which logs go and TLS is judged, is over a minute off. */
export class WrongClockError extends Error {
  override readonly name = 'WrongClockError';

  constructor(aheadMs: number) {
    const by = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
    super(`The clock of this machine is ${by} that of the MongoDB. Set both by NTP, and start again.`);
  }
}

/** Throws WrongClockError where this machine and the store disagree by more than a minute. */
export function requireRightClock(): void {
  const aheadMs = Date.now() - storeNow();
  if (Math.abs(aheadMs) >= WRONG_MS) throw new WrongClockError(aheadMs);
}

/** Asks the store for its time, and again every ten seconds until `stopClock`. */
export async function startClock(): Promise<void> {
  await measure();
  stopClock();
  measuring = repeatingTask(measure, {
    everyMs: MEASURE_EVERY_MS,
    waitsFirst: true,
    // What was measured before goes on to count.
    onError: () => undefined,
  });
  measuring.start();
}

/** Asks no more. */
export function stopClock(): void {
  void measuring?.stop();
}

async function measure(): Promise<void> {
  const askedAt = performance.now();
  const hello = await mongoose.connection.db?.admin().command({ hello: 1 });
  const answeredAt = performance.now();
  const time: unknown = hello?.['localTime'];
  if (!(time instanceof Date)) return;
  // The server read its clock between `askedAt` and `answeredAt`. The known offset is moved into
  // that range and no further, so that a slow answer never makes it worse.
  const [min, max] = [time.getTime() - answeredAt, time.getTime() - askedAt];
  offsetMs = isMeasured ? Math.min(Math.max(offsetMs, min), max) : (min + max) / 2;
  isMeasured = true;
}
