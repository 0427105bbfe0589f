import { ParlanceError, toParlanceError, unreachableError } from './error.ts';
import { backoffMs, openResponse, wait } from './send.ts';
import type { ApiConnection, PreparedRequest } from './send.ts';
import type { Conversation, Message } from './types.ts';

/** Heartbeats arrive every 15 seconds. */
const SILENCE_MS = 40_000;
const CHECK_MS = 1_000;

/** Event of a conversation (spec 5.12). `id` is the position to resume from. */
export type StreamEvent =
  | { event: 'message'; id: string | undefined; data: Message | DeletedMessage }
  | { event: 'conversation'; id: string | undefined; data: Conversation }
  | {
      event: 'typing';
      id: string | undefined;
      /**
       * A user, the contact (without `user`), or the author of the delayed message `message`.
       */
      data: {
        conversation: string;
        typing: { message?: string; user?: string; role?: string; until?: string }[];
      };
    }
  | {
      event: 'read';
      id: string | undefined;
      /** The contact has read the messages up to `sequence`. */
      data: { conversation: string; role: 'contact'; sequence: number; at: string };
    }
  | {
      event: 'receipt';
      id: string | undefined;
      /** The delivery of a message that a channel carries. */
      data: { conversation: string; message: string; delivery: NonNullable<Message['delivery']> };
    };

export interface ChangeEvent {
  event: 'conversation';
  id: undefined;
  data: { id: string; updatedAt: string; lastMessageAt: string };
}

export interface DeletedMessage {
  id: string;
  sequence: number;
  deletedAt: string;
}

export interface StreamOptions {
  /** Message sequence or event id to resume after. */
  after?: string | number | undefined;
  signal?: AbortSignal | undefined;
  /** Called when the stream is connected, also after a reconnect. */
  onOpen?: (() => void) | undefined;
  /** Called when a connection fails, before the next attempt. May throw to end the stream. */
  onReconnect?: ((error: ParlanceError) => void) | undefined;
}

export async function* listen<E extends StreamEvent | ChangeEvent>(
  connection: ApiConnection,
  path: string,
  { after, signal, onOpen, onReconnect }: StreamOptions = {},
): AsyncGenerator<E, void, undefined> {
  const givenUpAt = Date.now() + connection.retryForMs;
  let last = after === undefined ? undefined : String(after);
  let opened = false;
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const { event, data, id } of streamOnce(connection, { path, last, signal, onOpen })) {
        [opened, attempt, last] = [true, 0, id ?? last];
        if (data && event !== 'heartbeat') yield { event, id, data: JSON.parse(data) as unknown } as E;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ParlanceError) || !error.isTransient) throw error;
      // If no stream was ever opened, the URL may be wrong: stop after `retryForMs`.
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
  {
    path,
    last,
    signal,
    onOpen,
  }: Pick<StreamOptions, 'signal' | 'onOpen'> & { path: string; last?: string | undefined },
): AsyncGenerator<ServerSent, void, undefined> {
  const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
  const request = { method: 'GET', path, headers, signal };
  const read = createEventReader();
  for await (const piece of readResponse(connection, request, { silenceMs: SILENCE_MS, onOpen }))
    yield* read(piece);
}

/** Yields the text of a response as it arrives. Fails after `silenceMs` without text. */
export async function* readResponse(
  connection: ApiConnection,
  { signal, ...request }: PreparedRequest,
  { silenceMs, onOpen }: { silenceMs: number; onOpen?: (() => void) | undefined },
): AsyncGenerator<string, void, undefined> {
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason);
  // A timeout would fire late on a device that slept.
  let seenAt = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - seenAt > silenceMs) end.abort();
  }, CHECK_MS);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    const { response, url } = await openResponse(connection, { ...request, signal: end.signal });
    if (!response.ok) throw toParlanceError(response, await response.text().catch(() => ''));
    onOpen?.();
    for await (const piece of readTextChunks(response, url)) {
      // The reader may take its time.
      seenAt = Infinity;
      yield piece;
      seenAt = Date.now();
    }
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
    end.abort();
  }
}

// Safari cannot iterate over a body.
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

/** An event without data only moves the position. */
interface ServerSent {
  event: string;
  data: string;
  id: string | undefined;
}

export function createEventReader(): (piece: string) => ServerSent[] {
  let begun = '';
  return (piece) => {
    const blocks = (begun + piece).replaceAll('\r\n', '\n').split('\n\n');
    begun = blocks.pop() ?? '';
    return blocks.map(parseEvent);
  };
}

function parseEvent(block: string): ServerSent {
  // Without the flag `s`, a line with U+2028 or U+2029 would not match.
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/s.exec(line) ?? []);
  const all = (name: string) => lines.filter(([, field]) => field === name).map(([, , value = '']) => value);
  return { event: all('event').at(-1) ?? 'message', data: all('data').join('\n'), id: all('id').at(-1) };
}
