import { createHmac } from 'node:crypto';

const STANDARD_PREFIX = 'whsec_';

/** What a signature covers. */
export interface Signed {
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  body: string;
}

/**
 * The signature headers of a delivery (spec 7.7): Standard Webhooks v1 with one signature per
 * secret, the current one first, and `X-Hub-Signature` with the current secret's text as key.
 */
export function signatureHeaders(
  [current, ...earlier]: readonly [string, ...string[]],
  signed: Signed,
): Record<string, string> {
  return {
    'webhook-signature': [current, ...earlier].map((secret) => standardSignature(secret, signed)).join(' '),
    'x-hub-signature': `sha1=${createHmac('sha1', current).update(signed.body).digest('hex')}`,
  };
}

function standardSignature(secret: string, { id, timestamp, body }: Signed): string {
  const signature = createHmac('sha256', signingKey(secret)).update(`${id}.${timestamp}.${body}`);
  return `v1,${signature.digest('base64')}`;
}

/**
 * The key that a secret stands for: of `whsec_…` the bytes behind it, else its text (spec 7.7).
 * Throws where it is empty: nothing may be signed or verified with it.
 */
export function signingKey(secret: string): Buffer {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret);
  if (key.length === 0) throw new Error('The key of the secret is empty.');
  return key;
}
