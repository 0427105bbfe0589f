import type { Caller } from '../caller.ts';
import type { Journal } from '../journal.ts';
import type { Random } from '../random.ts';

/** An acknowledged message. */
export interface Acknowledged {
  id: string;
  sequence: number;
  text: string;
}

/** A conversation of this run and its acknowledged messages. */
export interface Timeline {
  conversation: string;
  /** Messages by author, in order of acknowledgement. */
  authors: Acknowledged[][];
}

export interface LoadContext {
  admin: Caller;
  bot: Caller;
  organization: string;
  journal: Journal;
  random: Random;
  /** Aborted when the load ends. Requests in flight are finished. */
  ending: AbortSignal;
  /** Conversations to check at the end. */
  timelines: Timeline[];
  deleted: string[];
  /** Returns a name that is unique in the whole run. */
  name: (kind: string) => string;
  /** Checks to run once all faults are over. */
  afterwards: (() => Promise<void>)[];
}

/** Creates a conversation that is checked at the end. */
export async function openConversation(
  { admin, timelines, name }: LoadContext,
  withinMs?: number,
): Promise<Timeline> {
  const called = name('conversation');
  const { status, body } = await admin.insist(
    {
      ...{ method: 'POST', path: '/conversations', body: { name: called } },
      headers: { 'Idempotency-Key': called },
    },
    withinMs === undefined ? {} : { withinMs },
  );
  if (status !== 201) throw new Error(`no conversation: ${status} ${JSON.stringify(body)}`);
  const timeline = { conversation: body.id as string, authors: [] };
  timelines.push(timeline);
  return timeline;
}

/** Adds an author to a conversation and returns the list for the acknowledged messages. */
export function newAuthor(timeline: Timeline): Acknowledged[] {
  const acknowledged: Acknowledged[] = [];
  timeline.authors.push(acknowledged);
  return acknowledged;
}

/**
 * Posts one message as the admin until it is acknowledged, without duplicates. Returns undefined,
 * and records a violation, if it is refused.
 */
export async function postOnce(
  { admin, name, journal }: LoadContext,
  { conversation }: Timeline,
  fields: Record<string, unknown>,
): Promise<Acknowledged | undefined> {
  const text = name('text');
  const body = { text, externalId: text, role: 'agent', conversation, ...fields };
  const { status, body: answer } = await admin.insist({ method: 'POST', path: '/messages', body });
  if (status < 300) return { id: answer.id, sequence: answer.sequence, text: answer.text };
  journal.violated('what may be posted is not refused', { body, status, answer });
  return undefined;
}
