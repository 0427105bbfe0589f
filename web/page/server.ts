import { readEvents } from '../components/live.ts';
import { raceAttempts, toBusy } from './busy.ts';
import type { UploadTarget } from '../components/uploads.ts';
import type { ChatMessage, Outgoing, Standing, Typist } from '../components/types.ts';

export interface PageOfMessages extends Standing {
  messages: ChatMessage[];
  more: boolean;
  last: number;
  /** Position of the stream. */
  mark: string;
  /** The other side has read up to this sequence. */
  read?: number;
  /** The conversation has no messages yet, and therefore no stream. */
  started?: boolean;
  /** New slug, since the conversation got its first message. */
  begun?: string;
}

/**
 * After `later`, the page sends the message again with the same key. `isAway`: the server did not
 * process the request.
 */
export type SendOutcome =
  | { outcome: 'accepted'; message: ChatMessage | null; begun: string | undefined }
  | { outcome: 'refused'; why: string; isGone: boolean }
  | { outcome: 'later'; isAway: boolean };

const DEADLINE_MS = 30_000;

const BASE = location.pathname.replace(/\/$/, '');

interface MessageRange {
  before?: number | undefined;
  limit?: number | undefined;
  /** Another connection is tried after this time without a response. */
  silentMs?: number;
}

/** Rejects with `Busy` if the server is busy, and with another error after other failures. */
export async function readMessages({ before, limit, silentMs = DEADLINE_MS }: MessageRange = {}): Promise<
  PageOfMessages | 'gone'
> {
  const query = new URLSearchParams();
  if (before !== undefined) query.set('before', String(before));
  if (limit !== undefined) query.set('limit', String(limit));
  // With a cache, the browser holds a request back while another one waits for the same URL.
  const read = (signal: AbortSignal) =>
    fetch(`${BASE}/messages?${query.toString()}`, { signal, cache: 'no-store' });
  const response = await raceAttempts(read, { silentMs, deadline: AbortSignal.timeout(DEADLINE_MS) });
  if (response.status === 404) return 'gone';
  const busy = toBusy(response);
  if (busy) throw busy;
  if (!response.ok) throw new Error(`reading failed with ${response.status}`);
  return (await response.json()) as PageOfMessages;
}

/** The chat page has no other rights than its address. */
export function uploadTarget(): UploadTarget {
  return { url: `${location.pathname.replace(/\/$/, '')}/files`, headers: {} };
}

/** Never rejects. */
export async function send({ key, text, type, label, files }: Outgoing): Promise<SendOutcome> {
  try {
    const response = await fetch(`${BASE}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        key,
        text: text || undefined,
        type,
        label,
        files: files?.map(({ url }) => url),
      }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const answer = (await response.json()) as ChatMessage & { message?: string; begun?: string };
    if (response.ok) return { outcome: 'accepted', message: answer.id ? answer : null, begun: answer.begun };
    const isFinal = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
    if (isFinal) return { outcome: 'refused', why: answer.message ?? '', isGone: response.status === 404 };
    return { outcome: 'later', isAway: response.status >= 500 };
  } catch {
    return { outcome: 'later', isAway: true };
  }
}

/** Never rejects. */
export async function sendSignal(what: 'read' | 'typing', body: object): Promise<void> {
  try {
    await fetch(`${BASE}/${what}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
  } catch {
    // Signals are optional.
  }
}

/** Rejects if the rating was not stored. */
export async function sendRating(rating: number, comment: string): Promise<void> {
  const response = await fetch(`${BASE}/rating`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ rating, comment }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  if (!response.ok) throw new Error(`rating failed with ${response.status}`);
}

export interface StreamListener {
  opened: () => void;
  /** A new or edited message. */
  message: (message: ChatMessage) => void;
  removed: (id: string) => void;
  /** Stream position, also after events that the reader cannot see. */
  passed: (mark: string) => void;
  typing: (typists: Typist[]) => void;
  /** Called after all earlier events. `read` is the last sequence that the other side has read. */
  caughtUp: (conversation: Standing & { read?: number }) => void;
}

export async function listen(after: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
  const passed = ({ lastEventId }: MessageEvent) => {
    if (lastEventId !== '') listener.passed(lastEventId);
  };
  const handlers = {
    open: listener.opened,
    message(event: MessageEvent<string>) {
      passed(event);
      const message = JSON.parse(event.data) as ChatMessage & { deletedAt?: string };
      if (message.deletedAt === undefined) listener.message(message);
      else listener.removed(message.id);
    },
    conversation(event: MessageEvent<string>) {
      passed(event);
      listener.caughtUp(JSON.parse(event.data) as Standing & { read?: number });
    },
    typing(event: MessageEvent<string>) {
      listener.typing((JSON.parse(event.data) as { typing: Typist[] }).typing);
    },
  };
  await readEvents(`${BASE}/stream?after=${after}`, handlers, signal);
}
