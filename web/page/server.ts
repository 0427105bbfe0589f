import { readEvents } from '../components/live.ts';
import { toBusy } from './busy.ts';
import type { ChatMessage, Outgoing, Typist } from '../components/types.ts';

/** The server's answer to a reader. */
export interface PageOfMessages {
  messages: ChatMessage[];
  more: boolean;
  /** The last number of the conversation. */
  last: number;
  /** What the stream begins after. */
  mark: string;
  /** Up to this number somebody of the other side has read. */
  read?: number;
  /** Nothing was said yet: there is no stream either. */
  started?: true;
  /** The slug of a conversation that was only started when this page got its key. */
  begun?: string;
}

/**
 * `refused`: it will never be taken, and why. `later`: nobody knows; it may be said again under the
 * same key.
 */
export type SendOutcome =
  | { outcome: 'accepted'; message: ChatMessage | null; begun: string | undefined }
  | { outcome: 'refused'; why: string }
  | { outcome: 'later' };

const DEADLINE_MS = 30_000;

/** The address of the page is the address of the conversation. */
const BASE = location.pathname.replace(/\/$/, '');

interface MessageRange {
  before?: number | undefined;
  /** The server's own measure without it. */
  limit?: number;
}

/**
 * Reads the newest messages, or those before a number. `gone`: there is no such conversation any
 * more. Rejects when the server does not answer, with `Busy` where it asks to come back later.
 */
export async function readMessages({ before, limit }: MessageRange = {}): Promise<PageOfMessages | 'gone'> {
  const asked = Object.entries({ before, limit }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const response = await fetch(`${BASE}/messages?${new URLSearchParams(asked).toString()}`, {
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  if (response.status === 404) return 'gone';
  const busy = toBusy(response);
  if (busy) throw busy;
  if (!response.ok) throw new Error(`reading failed with ${response.status}`);
  return (await response.json()) as PageOfMessages;
}

/** Says something. Never rejects. */
export async function send({ key, text, type, label }: Outgoing): Promise<SendOutcome> {
  try {
    const response = await fetch(`${BASE}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key, text, type, label }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const answer = (await response.json()) as ChatMessage & { message?: string; begun?: string };
    if (response.ok) return { outcome: 'accepted', message: answer.id ? answer : null, begun: answer.begun };
    const isFinal = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
    return isFinal ? { outcome: 'refused', why: answer.message ?? '' } : { outcome: 'later' };
  } catch {
    return { outcome: 'later' };
  }
}

/**
 * Tells the other side something that is kept nowhere for long. Never rejects: it is only a
 * courtesy.
 */
export async function sendSignal(what: 'read' | 'typing', body: object): Promise<void> {
  try {
    await fetch(`${BASE}/${what}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
  } catch {
    // The next one may arrive.
  }
}

export interface StreamListener {
  opened: () => void;
  /** A new message, or one that was edited. */
  message: (message: ChatMessage) => void;
  removed: (id: string) => void;
  /** How far the stream has come, whether or not there was something for the contact. */
  passed: (mark: string) => void;
  typing: (typists: Typist[]) => void;
  /** All earlier events were delivered. `read`: the last number that the other side has read. */
  caughtUp: (read: number | undefined) => void;
}

/** Reads the stream after a mark, until it is over or the signal ends it. */
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
      const { read } = JSON.parse(event.data) as { read?: number };
      listener.caughtUp(read);
    },
    typing(event: MessageEvent<string>) {
      listener.typing((JSON.parse(event.data) as { typing: Typist[] }).typing);
    },
  };
  await readEvents(`${BASE}/stream?after=${after}`, handlers, signal);
}
