import { createHmac } from 'node:crypto';

const STANDARD_PREFIX = 'whsec_';

export interface Signed {
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  body: string;
}

/**
 * Returns the signature headers of a delivery (spec 7.7): Standard Webhooks v1 with one signature
 * per secret, the current one first, and `X-Hub-Signature` with the current secret's text as key.
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
 * Returns the key of a secret: the decoded bytes after `whsec_`, otherwise its text (spec 7.7).
 * Throws if the key is empty.
 */
export function signingKey(secret: string): Buffer {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret);
  if (key.length === 0) throw new Error('The key of the secret is empty.');
  return key;
}
