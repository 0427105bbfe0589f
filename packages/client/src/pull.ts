import { wait } from './send.ts';
import type { Untyped } from './types.ts';
import type { WebhookEvent } from './webhook.ts';

export interface PullOptions {
  /** Ends when no event waits. Default: waits for more. */
  untilEmpty?: boolean;
  /** Events of one request, at most 500. Default 100. */
  limit?: number;
  /** Seconds until an event that is not acknowledged comes again, at most 3,600. Default 60. */
  visibility?: number;
  signal?: AbortSignal;
}

type UntypedCall = (name: string, given: Untyped) => Promise<unknown>;

const MAX_WAIT_SECONDS = 20;
/** Pause after an empty response that did not wait. */
const EMPTY_PAUSE_MS = 1_000;

/**
 * Yields the events of a service without an address. An event is acknowledged after the loop has
 * asked for the next one, so an event whose handling throws or is cut short comes again.
 */
export async function* pullEvents(
  call: UntypedCall,
  service: string,
  {
    untilEmpty = false,
    limit = 100,
    visibility = 60,
    signal,
    timeoutMs,
  }: PullOptions & { timeoutMs: number },
): AsyncGenerator<WebhookEvent, void, undefined> {
  const path = { id: service };
  const seconds = untilEmpty ? 0 : Math.min(MAX_WAIT_SECONDS, Math.floor(timeoutMs / 2_000));
  const handled: string[] = [];
  const acknowledge = async (): Promise<void> => {
    const ids = handled.splice(0);
    if (ids.length > 0) await call('POST /services/{id}/events/ack', { path, body: { ids } });
  };
  try {
    for (;;) {
      signal?.throwIfAborted();
      const startedAt = performance.now();
      const query = { limit, wait: seconds, visibility };
      const events = (await call('GET /services/{id}/events', { path, query, signal })) as WebhookEvent[];
      if (events.length === 0 && untilEmpty) return;
      if (events.length === 0 && performance.now() - startedAt < EMPTY_PAUSE_MS) {
        await wait(EMPTY_PAUSE_MS, signal);
      }
      // The request may have waited for the events, which are invisible since they were found.
      const receivedAt = performance.now();
      let acknowledgedAt = receivedAt;
      for (const event of events) {
        const now = performance.now();
        // Another puller may receive the rest of this response soon.
        if (now - receivedAt > visibility * 800) break;
        if (now - acknowledgedAt > visibility * 250) {
          await acknowledge();
          acknowledgedAt = now;
        }
        yield event;
        handled.push(event.id);
      }
      await acknowledge();
    }
  } finally {
    await acknowledge();
  }
}
