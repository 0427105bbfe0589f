import { createHash } from 'node:crypto';
import type { SentEvent } from '../pipeline/event-body/event-body.ts';
import { cloudEventKey, headerKey, senderKey } from '../pipeline/request-key.ts';
import type { RequestKey } from '../pipeline/request-key.ts';
import type { SignatureKind } from '../../domain/events/sender-signature.ts';

/** Where each kind of sender has the id of what it sends; Stripe has it in the body. */
const ID_HEADERS = {
  'standard-webhooks': 'webhook-id',
  github: 'X-GitHub-Delivery',
  shopify: 'X-Shopify-Webhook-Id',
} as const;

interface Post {
  /** Absent where posts are not signed: then the sender may be of any kind. */
  signature: SignatureKind | undefined;
  name: string;
  header: (name: string) => string;
  bytes: Buffer;
  sent: SentEvent;
}

/**
 * Returns the key by which a post is known when its sender repeats it (spec 8.9).
 *
 * Without a signature: the id and source of a CloudEvent, else the id header of a known sender,
 * else the header `Idempotency-Key`.
 *
 * With a signature, headers that are not signed may not make a repeated post a new one: the id that
 * the kind of sender gives every event, else a digest of the signed bytes.
 */
export function ingestKey(post: Post): RequestKey | undefined {
  const { signature, name, header, bytes, sent } = post;
  if (signature) return signedKey(post, signature);
  const { cloudEvent, body } = sent;
  if (cloudEvent) return cloudEventKey(cloudEvent, name, body);
  const kinds = Object.keys(ID_HEADERS) as (keyof typeof ID_HEADERS)[];
  const kind = kinds.find((one) => header(ID_HEADERS[one]) !== '');
  const identity = identityOf(name, bytes);
  if (kind) return senderKey(kind, header(ID_HEADERS[kind]), identity);
  return headerKey(header('Idempotency-Key'), identity);
}

function signedKey({ name, header, bytes, sent }: Post, signature: SignatureKind): RequestKey {
  if (signature === 'stripe') {
    const id = stripeId(sent.body);
    // What surrounds the object of an event, such as `pending_webhooks`, may differ when it is sent
    // again. The id is signed.
    if (id !== undefined) return senderKey('stripe', id, `event ${name}`);
  } else {
    const id = header(ID_HEADERS[signature]);
    if (id !== '') return senderKey(signature, id, identityOf(name, bytes));
  }
  return senderKey('digest', createHash('sha256').update(bytes).digest('hex'), identityOf(name, bytes));
}

function identityOf(name: string, bytes: Buffer): string {
  return `event ${name} ${bytes.toString('base64')}`;
}

function stripeId(body: unknown): string | undefined {
  const { id } = (body ?? {}) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? id : undefined;
}
