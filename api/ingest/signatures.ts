import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingKey } from '../../deliveries/http/signature.ts';
import { DomainError } from '../../domain/errors.ts';
import { isUsableSecret } from '../../domain/delivery/signing-secret.ts';
import { secretOrigin } from '../../domain/events/business-event.ts';
import type { IngestSignature, SignatureKind } from '../../domain/events/business-event.ts';
import { SIGNED_CONTENT, selectParts, splitContent } from '../../domain/events/hmac-signature.ts';
import type { HmacEncoding, HmacSignature, Placeholder } from '../../domain/events/hmac-signature.ts';
import { readIsoTime } from '../../domain/iso-time.ts';

const TOLERANCE_SECONDS = 300;

export interface SignedPost {
  header: (name: string) => string;
  bytes: Buffer;
  /** Milliseconds. */
  now: number;
  /** Full address that the sender posts to. */
  url: string;
}

type Check = (secret: string, post: SignedPost) => void;

const CHECKS: Record<SignatureKind, Check> = {
  'standard-webhooks'(secret, { header, bytes, now }) {
    const names = header('webhook-id') === '' && header('svix-id') !== '' ? 'svix' : 'webhook';
    const [id, timestamp] = [`${names}-id`, `${names}-timestamp`].map(header);
    if (!id) throw signatureError('webhook-id is missing, and so is svix-id');
    const mac = hmac(signingKey(secret), `${id}.${timestamp}.`, bytes);
    const given = selectVersion(header(`${names}-signature`).split(' '), 'v1', ',');
    assertMatchingSignature(given, mac, { encoding: 'base64', name: `${names}-signature` });
    assertRecent(timestamp, now);
  },
  github(secret, { header, bytes }) {
    const name = 'X-Hub-Signature-256';
    assertMatchingSignature(selectVersion([header(name)], 'sha256', '='), hmac(secret, bytes), {
      encoding: 'hex',
      name,
    });
  },
  stripe(secret, { header, bytes, now }) {
    const name = 'Stripe-Signature';
    const parts = header(name).split(',');
    const [timestamp] = selectVersion(parts, 't', '=');
    const mac = hmac(secret, `${timestamp}.`, bytes);
    assertMatchingSignature(selectVersion(parts, 'v1', '='), mac, { encoding: 'hex', name });
    assertRecent(timestamp, now);
  },
  shopify(secret, { header, bytes }) {
    const name = 'X-Shopify-Hmac-Sha256';
    assertMatchingSignature([header(name)], hmac(secret, bytes), { encoding: 'base64', name });
  },
  slack(secret, { header, bytes, now }) {
    const name = 'X-Slack-Signature';
    const timestamp = header('X-Slack-Request-Timestamp');
    const mac = hmac(secret, `v0:${timestamp}:`, bytes);
    assertMatchingSignature(selectVersion([header(name)], 'v0', '='), mac, { encoding: 'hex', name });
    assertRecent(timestamp, now);
  },
};

/**
 * Throws DomainError `unauthenticated` for an empty key, or a missing, wrong or outdated signature
 * (spec 8.9).
 */
export function verifySignature(kind: IngestSignature, secret: string, post: SignedPost): void {
  if (!isUsableSecret(secret, secretOrigin(kind))) {
    throw signatureError('the key of the secret is empty; create the address again');
  }
  if (typeof kind === 'string') CHECKS[kind](secret, post);
  else verifyHmac(kind, secret, post);
}

function verifyHmac(signature: HmacSignature, secret: string, { header, bytes, now, url }: SignedPost): void {
  const { header: name, algorithm = 'sha256', encoding = 'hex', prefix } = signature;
  const { content = SIGNED_CONTENT, idHeader, timestampHeader, timestampPrefix } = signature;
  const read = (one: string | undefined) => (one === undefined ? '' : header(one).trim());
  const [timestamp = ''] = selectTime(read(timestampHeader), timestampPrefix);
  const values: Record<Placeholder, string | Buffer> = { body: bytes, timestamp, id: read(idHeader), url };
  const mac = createHmac(algorithm, secret);
  for (const { text, placeholder } of splitContent(content) ?? []) {
    const value = placeholder ? values[placeholder] : text;
    if (placeholder !== 'body' && value.length === 0) throw signatureError(`its ${placeholder} is missing`);
    mac.update(value);
  }
  const expected = mac.digest();
  const fitting = selectParts(header(name), prefix)
    .map((one) => decodeSignature(one, encoding))
    .filter((one) => isSame(one, expected));
  if (fitting.length === 0) throw signatureError(`${name} is missing, or does not fit the body`);
  if (timestampHeader !== undefined) assertRecent(String(toSeconds(timestamp)), now);
}

function selectTime(header: string, prefix: string | undefined): string[] {
  return prefix === undefined ? [header] : selectParts(header, prefix);
}

const ENCODED = { hex: /^(?:[0-9a-f]{2})+$/i, base64: /^[A-Za-z0-9+/]+={0,2}$/ };

function decodeSignature(text: string, encoding: HmacEncoding): Buffer {
  return ENCODED[encoding].test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}

const MILLISECONDS = /^\d{13}$/;

/** Reads seconds or milliseconds since 1970, and ISO 8601 (Zendesk). */
function toSeconds(time: string): number {
  if (MILLISECONDS.test(time)) return Math.floor(Number(time) / 1_000);
  if (/^\d{1,12}$/.test(time)) return Number(time);
  return Math.floor((readIsoTime(time) ?? Number.NaN) / 1_000);
}

function hmac(key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** Selects the values of a version: `v1,abc` or `v1=abc`. */
function selectVersion(parts: string[], version: string, separator: string): string[] {
  const start = version + separator;
  return parts
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length));
}

function assertMatchingSignature(
  given: string[],
  mac: Buffer,
  { encoding, name }: { encoding: 'hex' | 'base64'; name: string },
): void {
  const expected = Buffer.from(mac.toString(encoding));
  // Compare all, so that the time does not reveal which signature matches.
  const fitting = given.map((one) => Buffer.from(one)).filter((one) => isSame(one, expected));
  if (fitting.length === 0) throw signatureError(`${name} is missing, or does not fit the body`);
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function assertRecent(timestamp: string | undefined, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp ?? '')) throw signatureError('its time is missing, or not a time');
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw signatureError('it was signed more than five minutes before or after now');
  }
}

function signatureError(why: string): DomainError {
  return new DomainError('unauthenticated', `The post is not validly signed: ${why}.`);
}
