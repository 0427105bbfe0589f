import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingKey } from '../../deliveries/http/signature.ts';
import { DomainError } from '../../domain/errors.ts';
import { isUsableSecret } from '../../domain/delivery/signing-secret.ts';
import { secretOrigin } from '../../domain/events/business-event.ts';
import type { SignatureKind } from '../../domain/events/business-event.ts';

const TOLERANCE_SECONDS = 300;

export interface SignedPost {
  header: (name: string) => string;
  bytes: Buffer;
  /** Milliseconds. */
  now: number;
}

type Check = (secret: string, post: SignedPost) => void;

const CHECKS: Record<SignatureKind, Check> = {
  'standard-webhooks'(secret, { header, bytes, now }) {
    const [id, timestamp] = ['webhook-id', 'webhook-timestamp'].map(header);
    if (!id) throw signatureError('webhook-id is missing');
    const mac = hmac(signingKey(secret), `${id}.${timestamp}.`, bytes);
    const given = selectVersion(header('webhook-signature').split(' '), 'v1', ',');
    assertMatchingSignature(given, mac, { encoding: 'base64', name: 'webhook-signature' });
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
export function verifySignature(kind: SignatureKind, secret: string, post: SignedPost): void {
  if (!isUsableSecret(secret, secretOrigin(kind))) {
    throw signatureError('the key of the secret is empty, and the address has to be made anew');
  }
  CHECKS[kind](secret, post);
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
  if (fitting.length === 0) throw signatureError(`${name} is missing, or not that of the body`);
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function assertRecent(timestamp: string | undefined, now: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp ?? '') ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now / 1000 - seconds) <= TOLERANCE_SECONDS)) {
    throw signatureError('it was signed more than five minutes before or after now');
  }
}

function signatureError(why: string): DomainError {
  return new DomainError('unauthenticated', `The post is not validly signed: ${why}.`);
}
