import { setTimeout as wait } from 'node:timers/promises';
import { DEADLINES_MS } from '../../platform/config/deadlines.ts';
import type { ApiResponse, ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

export interface Acknowledged {
  id: string;
  sequence: number;
  text: string;
}

/**
 * A client that posts messages into one conversation and retries each message until it is
 * acknowledged.
 */
export interface Writer {
  conversation: string;
  acknowledged: Acknowledged[];
  /** Waits for the current message and stops the writer. */
  end: () => Promise<void>;
}

interface WriterOptions {
  conversation: string;
  pauseMs: number;
  /** Returns whether to post a further text, by the number of acknowledged texts. */
  mayGoOn?: (acknowledged: number) => boolean;
}

/**
 * Posts `text 1`, `text 2` … until `end` is called. A post without a response, or with a 5xx
 * response, is repeated with the same `externalId`, so every text must be stored exactly once.
 */
export function startWriter(
  api: ApiClient,
  { conversation, pauseMs, mayGoOn = () => true }: WriterOptions,
): Writer {
  const acknowledged: Acknowledged[] = [];
  const ending = new AbortController();
  const work = (async () => {
    for (let n = 1; !ending.signal.aborted; n += 1) {
      acknowledged.push(await postUntilAcknowledged(api, { conversation, text: `text ${n}` }));
      await eventually(() => ending.signal.aborted || mayGoOn(n), LONG);
      await wait(pauseMs);
    }
  })();
  return {
    conversation,
    acknowledged,
    async end() {
      ending.abort();
      await work;
    },
  };
}

const LONG = { withinMs: 180_000 };

async function postUntilAcknowledged(
  api: ApiClient,
  { conversation, text }: { conversation: string; text: string },
): Promise<Acknowledged> {
  const message = { conversation, text, role: 'agent', externalId: text };
  const deadline = Date.now() + LONG.withinMs;
  for (;;) {
    const answer = await api.once.post('/messages', message).catch(() => undefined);
    if (answer && answer.status < 300) return { id: answer.body.id, sequence: answer.body.sequence, text };
    if (answer && answer.status < 500) throw new Error(`${text} was refused: ${JSON.stringify(answer.body)}`);
    if (Date.now() > deadline) throw new Error(`${text} was not acknowledged within 180 s`);
    await wait(100);
  }
}

/** Slightly less than the time after which an API with the DEADLINE_FACTOR 1 gives up a post. */
const GIVES_UP_AFTER_MS = DEADLINES_MS.workflowRequest - 500;

/**
 * Repeats a post until the message is stored. Adds each refusal to `refused`, except a 503 after
 * the deadline of the API, which a stall of the machine causes.
 */
export async function postThroughRestarts(
  post: (message: object) => Promise<ApiResponse<any>>,
  message: { conversation: string; text: string; [field: string]: unknown },
  refused: unknown[],
): Promise<Acknowledged> {
  for (;;) {
    const beganAt = performance.now();
    const { status, body } = await post({ ...message, externalId: message.text }).catch((error: unknown) => ({
      status: 0,
      body: `${String(error)}: ${String((error as Error).cause)}`,
    }));
    if (status === 200 || status === 201) return body as Acknowledged;
    const tookMs = performance.now() - beganAt;
    if (status !== 503 || tookMs < GIVES_UP_AFTER_MS) refused.push([status, tookMs, body]);
    await wait(100);
  }
}
