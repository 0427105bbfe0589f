import { createHmac } from 'node:crypto';

const STANDARD_PREFIX = 'whsec_';

export interface Signed {
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  body: string;
}

/**
 * Returns `webhook-signature` with a signature per secret, and `x-hub-signature` with the current
 * secret (spec 7.7).
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
 * Decodes the base64 after `whsec_`. Returns any other text as bytes. Throws if the key is empty.
 */
export function signingKey(secret: string): Buffer {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret);
  if (key.length === 0) throw new Error('The key of the secret is empty.');
  return key;
}
