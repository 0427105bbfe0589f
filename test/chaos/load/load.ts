import type { Caller } from '../caller.ts';
import type { Journal } from '../journal.ts';
import type { Random } from '../random.ts';

/** A message that was acknowledged, as it was. */
export interface Acknowledged {
  id: string;
  sequence: number;
  text: string;
}

/** A conversation of this run, and all that is known to be in it. */
export interface Timeline {
  conversation: string;
  /** By author, in the order of acknowledgement. */
  authors: Acknowledged[][];
}

/** What all kinds of load share. */
export interface LoadContext {
  admin: Caller;
  bot: Caller;
  organization: string;
  journal: Journal;
  random: Random;
  /** Aborted when the load is to end: what is under way is finished. */
  ending: AbortSignal;
  /** Conversations to check at the end. */
  timelines: Timeline[];
  /** Conversations that were deleted. */
  deleted: string[];
  /** Unique in the whole run. */
  name: (kind: string) => string;
  /** Checks that need the end: each is called once all is calm. */
  afterwards: (() => Promise<void>)[];
}

/** Opens a conversation and has it checked at the end. */
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

/** Notes what is acknowledged, of one author of a conversation. */
export function newAuthor(timeline: Timeline): Acknowledged[] {
  const acknowledged: Acknowledged[] = [];
  timeline.authors.push(acknowledged);
  return acknowledged;
}

/**
 * Posts one message as the admin until it is acknowledged, once however often it is sent.
 * Undefined: it was refused, which is a violation.
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
