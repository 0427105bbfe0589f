import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ParlanceError, signWebhook } from '@parlance/client';
import type { Client, Delivery, MessageInput } from '@parlance/client';
import type { Printer } from './command.ts';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };
const TIMEOUT_MS = 20_000;
const AGAIN_MS = 1_000;
/** The statuses whose messages Parlance posts (spec 7.9). */
const REPLY_STATUSES = [200, 201, 202];
const REPLY_FORM = 'a JSON object with token and a list of messages';

export interface ForwarderOptions {
  client: Client;
  /** Client that retries without a time limit. */
  patient: Client;
  to: URL;
  secret: string;
  say: Printer;
  signal: AbortSignal;
}

export type DeliveryEntry = Pick<
  Delivery,
  'id' | 'event' | 'eventId' | 'sequence' | 'conversation' | 'createdAt'
>;

/** Posts a delivery to the bot until the bot responds. Posts the bot's replies to Parlance. */
export async function forward(options: ForwarderOptions, row: DeliveryEntry): Promise<void> {
  const { patient, say, signal } = options;
  const { id, event, eventId, sequence, conversation } = row;
  const stored = await patient.call('GET /deliveries/{id}', { path: { id }, signal });
  // The stored body serializes to the same text as the real delivery.
  const answer = await postUntilAnswered(options, eventId, JSON.stringify(stored.body));
  if (!answer) return;
  const reply = await postReply(options, answer, row);
  const words = `${answer.status} ${event}${conversation ? ` ${conversation} event ${sequence}` : ''}`;
  const data = { event, id: eventId, conversation, sequence, status: answer.status, reply };
  say.line(reply ? `${words} → ${reply}` : words, data);
}

export async function checkBot({ to, say, signal }: ForwarderOptions): Promise<void> {
  const { href, authorization } = splitCredentials(to);
  const verification = new URL(href);
  verification.searchParams.set('type', 'subscribe');
  verification.searchParams.set('challenge', crypto.randomUUID());
  const options = { headers: authorization, redirect: 'manual', signal } as const;
  const answer = await fetch(verification, options).catch(describeError);
  if (typeof answer === 'string') {
    say.note(`${href} does not respond yet (${answer}).`);
  } else if (answer.status !== 200) {
    say.note(
      `${href} responds to GET with ${answer.status}. Parlance would send it no events. This command does.`,
    );
  }
}

async function postUntilAnswered({ to, secret, say, signal }: ForwarderOptions, id: string, body: string) {
  const { href, authorization } = splitCredentials(to);
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const headers = { ...(await buildHeaders(id, body, secret)), ...authorization };
      const request = { method: 'POST', headers, body, redirect: 'manual' } as const;
      const response = await fetch(href, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (attempt === 0) say.note(`${href} does not respond (${describeError(error)}). Its events wait.`);
      await wait(AGAIN_MS, undefined, { signal });
    }
  }
  return null;
}

/** See spec 7.7. */
async function buildHeaders(id: string, body: string, secret: string): Promise<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': `Parlance/${version}`,
    ...(await signWebhook({ id, body }, secret)),
    'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  };
}

async function postReply(
  { client, signal }: ForwarderOptions,
  { status, text }: { status: number; text: string },
  { id, conversation }: DeliveryEntry,
) {
  const reply = parseReply(text);
  if (!conversation) return undefined;
  if (!reply) return looksLikeReply(text) ? `not posted: it is not ${REPLY_FORM}` : undefined;
  if (!REPLY_STATUSES.includes(status)) return `not posted: the status is not ${REPLY_STATUSES.join(', ')}`;
  const body = reply.messages.map((one, at) => ({ ...one, externalId: `${id}#${at + 1}` }));
  const headers = { authorization: `Bearer ${reply.token}` };
  try {
    const path = { id: conversation };
    await client.call('POST /conversations/{id}/messages', { path, body, headers, signal });
    return `posted ${body.length}`;
  } catch (error) {
    if (!(error instanceof ParlanceError)) throw error;
    return `refused (${error.code}): ${error.message}`;
  }
}

function looksLikeReply(text: string): boolean {
  return /token\\*["']?\s{0,9}[:=]/i.test(text) && /messages?\\*["']?\s{0,9}[:=]/i.test(text);
}

function parseReply(text: string): { token: string; messages: MessageInput[] } | undefined {
  try {
    const { token, messages } = (JSON.parse(text) ?? {}) as { token?: string; messages?: MessageInput[] };
    return token && Array.isArray(messages) ? { token, messages } : undefined;
  } catch {
    return undefined;
  }
}

/** Moves the URL's credentials to a header, as Parlance does. */
function splitCredentials(to: URL): { href: string; authorization: Record<string, string> } {
  const { username, password } = to;
  if (!username && !password) return { href: to.href, authorization: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const bare = new URL(to);
  [bare.username, bare.password] = ['', ''];
  const basic = Buffer.from(pair).toString('base64');
  return { href: bare.href, authorization: { authorization: `Basic ${basic}` } };
}

function describeError(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message ? cause.message : message;
}
