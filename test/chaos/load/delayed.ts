import { setTimeout as wait } from 'node:timers/promises';
import { newAuthor, postOnce } from './load.ts';
import type { LoadContext, Timeline } from './load.ts';

/** A delayed message with its earliest and latest due time, by the clock of this process. */
interface Awaited {
  id: string;
  text: string;
  from: number;
  to: number;
}

/** Messages that are due closer together than this may be processed in either order. */
const CLOSE_MS = 2_000;
/**
 * The maximum difference between the clock of the API, which dates the receipt of a message, and
 * the clock of the workflow, which dates its processing. The API estimates the store's clock over
 * its connection, less exactly if the connection is bad.
 */
const TOLERANCE_MS = 1_000;

/** Posts delayed messages. Each is processed once, not before it is due, and in due order. */
export async function postDelayed(load: LoadContext, timeline: Timeline): Promise<void> {
  const { random, ending, journal } = load;
  const awaited: Awaited[] = [];
  const acknowledged = newAuthor(timeline);
  load.afterwards.push(async () => {
    const processed = await allProcessed(load, awaited);
    acknowledged.push(...processed.map(({ id, sequence, text }) => ({ id, sequence, text })));
    checkOrder(load, processed);
  });
  while (!ending.aborted) {
    const delay = random.integer(200, 6_000);
    const startedAt = Date.now();
    const posted = await postOnce(load, timeline, { delay, type: 'chat' });
    if (!posted) return;
    awaited.push({ id: posted.id, text: posted.text, from: startedAt + delay, to: Date.now() + delay });
    journal.count('delayed messages acknowledged');
    await wait(random.between(100, 800));
  }
}

type Processed = Awaited & { sequence: number; processedAt: number };

async function allProcessed({ admin, journal }: LoadContext, awaited: Awaited[]): Promise<Processed[]> {
  const processed: Processed[] = [];
  const deadline = performance.now() + 120_000;
  for (const one of awaited) {
    for (;;) {
      const { body } = await admin.insist({ method: 'GET', path: `/messages/${one.id}` });
      if (body.processedAt) {
        processed.push({ ...one, sequence: body.sequence, processedAt: Date.parse(body.processedAt) });
        break;
      }
      if (performance.now() > deadline) {
        journal.violated('a delayed message is processed when it is due', { ...one, now: Date.now(), body });
        break;
      }
      await wait(200);
    }
  }
  return processed.sort((a, b) => a.sequence - b.sequence);
}

function checkOrder({ journal }: LoadContext, processed: Processed[]): void {
  for (const one of processed) {
    if (one.processedAt < one.from - TOLERANCE_MS)
      journal.violated('a delayed message is not processed before it is due', one);
    journal.longest('delay beyond the time due', one.processedAt - one.to);
    const later = processed.find((other) => other.sequence < one.sequence && other.from > one.to + CLOSE_MS);
    if (later) journal.violated('delayed messages are processed in the order they are due', { one, later });
  }
}
