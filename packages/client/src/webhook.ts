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

type HeaderBag = Headers | Record<string, string | string[] | undefined>;

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook (Standard Webhooks v1) with the raw text of its body. Throws ParlanceError
 * `bad_signature` if no secret matches or the timestamp is out of tolerance, by default 5 minutes.
 */
export async function verifyWebhook(
  { headers, body }: { headers: HeaderBag; body: string },
  secrets: string | readonly string[],
  {
    toleranceSeconds = TOLERANCE_SECONDS,
    now = Date.now(),
  }: { toleranceSeconds?: number; now?: number } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) =>
    findHeader(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !given) throw badSignatureError('it is not signed');
  // A tolerance of NaN, from an unset variable, rejects every timestamp.
  if (!/^\d{1,15}$/.test(timestamp) || !(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw badSignatureError('it was signed too long ago, or the clocks differ');
  }
  const signed = encodeText(`${id}.${timestamp}.${body}`);
  const signatures = given.split(' ').filter((one) => one.startsWith('v1,'));
  for (const secret of [secrets].flat()) {
    const key = await importSecret(secret, 'verify');
    for (const signature of signatures.slice(0, 16)) {
      const expected = decodeBase64(signature.slice(3));
      // `crypto.subtle.verify` compares in constant time.
      if (expected && (await crypto.subtle.verify('HMAC', key, expected, signed)))
        return parseWebhookEvent(body);
    }
  }
  throw badSignatureError('no signature fits a secret');
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

function parseWebhookEvent(body: string): WebhookEvent {
  try {
    return JSON.parse(body) as WebhookEvent;
  } catch {
    throw badSignatureError('its body is not JSON');
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

function findHeader(headers: HeaderBag, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}

function badSignatureError(why: string): ParlanceError {
  return new ParlanceError(`This is not a webhook of Parlance: ${why}.`, {
    status: 401,
    code: 'bad_signature',
  });
}
