import { ParlanceError } from './error.ts';
import type { Contact, Conversation, Message } from './types.ts';

/** See spec 7.6. */
export interface WebhookEvent {
  /** Every repetition of the event has the same id. */
  id: string;
  event: string;
  timestamp: string;
  organization: string;
  sequence: number;
  activity: Record<string, unknown>;
  /** Records by name, as of the time of the event. */
  data: {
    message?: Message;
    conversation?: Omit<Conversation, 'messages'>;
    contact?: Contact;
    links?: Record<string, string>;
    [resource: string]: unknown;
  };
}

type HeaderValue = string | readonly string[] | undefined;
type HeaderBag =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, HeaderValue>>
  | Iterable<readonly [string, string]>;
type RawBody = string | Uint8Array<ArrayBuffer> | ArrayBuffer;

/** A webhook as servers and serverless platforms pass it, such as a Request or an event of AWS. */
export interface SentWebhook {
  headers?: HeaderBag | null | undefined;
  /** Of an AWS load balancer or API Gateway. */
  multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  /** Raw text, bytes or a stream of bytes. */
  body?: unknown;
  /** Counts before `body`. */
  rawBody?: RawBody | null | undefined;
  isBase64Encoded?: boolean | undefined;
  arrayBuffer?: (() => Promise<ArrayBuffer>) | undefined;
  /** Of a request of Node whose body was not read. */
  [Symbol.asyncIterator]?: () => AsyncIterator<unknown>;
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook (Standard Webhooks v1) with its raw body. Throws ParlanceError `bad_signature`
 * if no secret matches or the timestamp is out of tolerance, by default 5 minutes, and TypeError if
 * the body was read or parsed before.
 */
export async function verifyWebhook(
  webhook: SentWebhook,
  secrets: string | readonly string[],
  {
    toleranceSeconds = TOLERANCE_SECONDS,
    now = Date.now(),
  }: { toleranceSeconds?: number; now?: number } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) =>
    findHeader(webhook, `webhook-${name}`),
  );
  if (!id || !timestamp || !given) throw badSignatureError('not signed');
  // A tolerance of NaN, from an unset variable, rejects every timestamp.
  if (!/^\d{1,15}$/.test(timestamp) || !(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw badSignatureError('signed too long ago, or clocks differ');
  }
  const body = await readRawBody(webhook);
  const signed = await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer();
  // Servers join repeated headers with commas.
  const signatures = [...given.matchAll(/\bv1,([^\s,]+)/g)].slice(0, 16);
  for (const secret of [secrets].flat()) {
    const key = await importSecret(secret, 'verify');
    for (const [, signature = ''] of signatures) {
      const expected = decodeBase64(signature);
      // `crypto.subtle.verify` compares in constant time.
      if (expected && (await crypto.subtle.verify('HMAC', key, expected, signed)))
        return parseWebhookEvent(body);
    }
  }
  throw badSignatureError('no secret fits');
}

/** Returns the headers of a signed webhook. `timestamp` is in seconds since 1970. */
export async function signWebhook(
  { id, body, timestamp = Math.floor(Date.now() / 1000) }: { id: string; body: string; timestamp?: number },
  secret: string,
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const signed = encodeText(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(
    await crypto.subtle.sign('HMAC', await importSecret(secret, 'sign'), signed),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

async function readRawBody(webhook: SentWebhook): Promise<RawBody> {
  const { rawBody, body, isBase64Encoded } = webhook;
  const raw = rawBody ?? (await webhook.arrayBuffer?.()) ?? body ?? (isStream(webhook) ? webhook : '');
  if (typeof raw === 'string') return (isBase64Encoded ? decodeBase64(raw) : raw) ?? '';
  // Bytes of another realm are no instances of these classes.
  if ((raw as Partial<ArrayBuffer>).byteLength !== undefined) return raw as RawBody;
  if (!isStream(raw)) throw new TypeError('Pass the raw body (express.raw).');
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of raw) chunks.push(chunk);
  return new Blob(chunks).arrayBuffer();
}

function isStream(body: object): body is AsyncIterable<Uint8Array<ArrayBuffer>> {
  return Symbol.asyncIterator in body;
}

async function parseWebhookEvent(body: RawBody): Promise<WebhookEvent> {
  try {
    return (await new Response(body).json()) as WebhookEvent;
  } catch {
    throw badSignatureError('not JSON');
  }
}

/**
 * Uses a secret without `whsec_` as the key (spec 7.7). Trims the secret: secret files end with a
 * line break.
 */
function importSecret(given: string, use: 'sign' | 'verify') {
  const secret = given.trim();
  const raw = secret.startsWith(PREFIX) ? decodeBase64(secret.slice(PREFIX.length)) : encodeText(secret);
  if (!raw || raw.length === 0) throw new TypeError('The secret is empty or not base64.');
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function findHeader({ headers, multiValueHeaders }: SentWebhook, name: string): string {
  const pairs = [multiValueHeaders, headers].flatMap((bag): [string, HeaderValue][] =>
    bag && Symbol.iterator in bag ? ([...bag] as never) : Object.entries((bag ?? {}) as never),
  );
  return [pairs.find(([key]) => key.toLowerCase() === name)?.[1]].flat().join(' ');
}

function badSignatureError(why: string): ParlanceError {
  return new ParlanceError(`This is not a webhook of Parlance: ${why}.`, {
    status: 401,
    code: 'bad_signature',
  });
}
