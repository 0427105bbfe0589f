import mongoose from 'mongoose';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import type { RepeatingTask } from '../../platform/concurrency/repeating-task.ts';

const MEASURE_EVERY_MS = 10_000;
const WRONG_MS = 60_000;

/** Store clock minus the monotonic clock. */
let offsetMs = machineOffset();
let isMeasured = false;
let measuring: RepeatingTask | undefined;

/** Returns milliseconds since 1970 by the store's clock, which all processes share. */
export function storeNow(): number {
  return Math.floor(offsetMs + performance.now());
}

/** Reads both clocks again if the process was paused between the readings. */
function machineOffset(): number {
  for (;;) {
    const before = performance.now();
    const offset = Date.now() - before;
    if (performance.now() - before < 1) return offset;
  }
}

export function storeDate(): Date {
  return new Date(storeNow());
}

/** This machine's clock, which logs and TLS use, differs from the store's. */
export class WrongClockError extends Error {
  override readonly name = 'WrongClockError';

  constructor(aheadMs: number) {
    const by = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
    super(`The clock of this machine is ${by} that of the MongoDB. Set both by NTP, and start again.`);
  }
}

export function requireRightClock(): void {
  const aheadMs = Date.now() - storeNow();
  if (Math.abs(aheadMs) >= WRONG_MS) throw new WrongClockError(aheadMs);
}

export async function startClock(): Promise<void> {
  await measure();
  stopClock();
  measuring = repeatingTask(measure, {
    everyMs: MEASURE_EVERY_MS,
    waitsFirst: true,
    // The last offset stays in use.
    onError: () => undefined,
  });
  measuring.start();
}

export function stopClock(): void {
  void measuring?.stop();
}

async function measure(): Promise<void> {
  const askedAt = performance.now();
  const hello = await mongoose.connection.db?.admin().command({ hello: 1 });
  const answeredAt = performance.now();
  const time: unknown = hello?.['localTime'];
  if (!(time instanceof Date)) return;
  // The server read its clock between `askedAt` and `answeredAt`. A slow response gives a wide
  // range, which keeps the known offset.
  const [min, max] = [time.getTime() - answeredAt, time.getTime() - askedAt];
  offsetMs = isMeasured ? Math.min(Math.max(offsetMs, min), max) : (min + max) / 2;
  isMeasured = true;
}
