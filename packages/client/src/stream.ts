import { backoffMs, wait } from './backoff.ts';
import { ParlanceError, toParlanceError, unreachableError } from './error.ts';
import { isTransient, openResponse } from './send.ts';
import type { ApiConnection } from './send.ts';
import type { Conversation, Message } from './types.ts';

/** Heartbeats arrive every 15 seconds. After this silence the stream is dead. */
const SILENCE_MS = 40_000;

/** Event of a stream (spec 5.12). `id` is the position to resume from; some events have no id. */
export type StreamEvent =
  | { event: 'message'; id: string | undefined; data: Message | DeletedMessage }
  | { event: 'conversation'; id: string | undefined; data: Conversation }
  | {
      event: 'typing';
      id: string | undefined;
      data: { conversation: string; typing: { message: string; role?: string; until?: string }[] };
    }
  | {
      event: 'read';
      id: string | undefined;
      /** The contact has read the messages up to `sequence`. */
      data: { conversation: string; role: 'contact'; sequence: number; at: string };
    };

export interface DeletedMessage {
  id: string;
  sequence: number;
  deletedAt: string;
}

export interface StreamOptions {
  /** Message sequence or event id to resume after. */
  after?: string | number;
  signal?: AbortSignal;
  /** Called when the connection is lost, before the client reconnects. */
  onReconnect?: (error: ParlanceError) => void;
}

export async function* listen(
  connection: ApiConnection,
  conversation: string,
  { after, signal, onReconnect }: StreamOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const path = `/conversations/${encodeURIComponent(conversation)}/stream`;
  const givenUpAt = Date.now() + connection.retryForMs;
  let last = after === undefined ? undefined : String(after);
  let opened = false;
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const { event, data, id } of streamOnce(connection, { path, last, signal })) {
        [opened, attempt, last] = [true, 0, id ?? last];
        if (data && event !== 'heartbeat')
          yield { event, id, data: JSON.parse(data) as unknown } as StreamEvent;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ParlanceError) || !isTransient(error)) throw error;
      // The URL may be wrong if no stream was ever opened: stop after `retryForMs`.
      if (!opened && Date.now() > givenUpAt) throw error;
      onReconnect?.(error);
      await wait(backoffMs(attempt, error.retryAfterSeconds), signal);
      continue;
    }
    await wait(backoffMs(0, undefined), signal);
  }
}

async function* streamOnce(
  connection: ApiConnection,
  { path, last, signal }: { path: string; last: string | undefined; signal: AbortSignal | undefined },
): AsyncGenerator<ServerSent, void, undefined> {
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason);
  let timer = setTimeout(() => end.abort(), SILENCE_MS);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
    const { response, url } = await openResponse(connection, {
      method: 'GET',
      path,
      headers,
      signal: end.signal,
    });
    if (!response.ok) throw toParlanceError(response, await response.text().catch(() => ''));
    const read = createEventReader();
    for await (const piece of readTextChunks(response, url)) {
      clearTimeout(timer);
      timer = setTimeout(() => end.abort(), SILENCE_MS);
      yield* read(piece);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    end.abort();
  }
}

/**
 * Yields the text of a response as it arrives. Safari cannot iterate over a body with `for await`.
 */
async function* readTextChunks({ body }: Response, url: string): AsyncGenerator<string, void, undefined> {
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>> | null)?.getReader();
  const decoder = new TextDecoder();
  while (reader) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw unreachableError(url, error);
    });
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/** Server-sent event. Without data it only moves the stream's position. */
interface ServerSent {
  event: string;
  data: string;
  id: string | undefined;
}

/** Creates a parser for text that arrives in chunks. */
export function createEventReader(): (piece: string) => ServerSent[] {
  let begun = '';
  return (piece) => {
    const blocks = (begun + piece).replaceAll('\r\n', '\n').split('\n\n');
    begun = blocks.pop() ?? '';
    return blocks.map(parseEvent);
  };
}

function parseEvent(block: string): ServerSent {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const all = (name: string) => lines.filter(([, field]) => field === name).map(([, , value = '']) => value);
  return { event: all('event').at(-1) ?? 'message', data: all('data').join('\n'), id: all('id').at(-1) };
}
