import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
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
  const { signature, name, header, sent } = post;
  if (signature) return signedKey(post, signature);
  const { cloudEvent, body } = sent;
  if (cloudEvent) return cloudEventKey(cloudEvent, name, body);
  const kinds = Object.keys(ID_HEADERS) as (keyof typeof ID_HEADERS)[];
  const kind = kinds.find((one) => header(ID_HEADERS[one]) !== '');
  if (kind) return headerIdKey(kind, post);
  const identity = `event ${name} ${canonicalJson(body)}`;
  return headerKey(header('Idempotency-Key'), { identity, formerIdentity: formerIdentity(post) });
}

function signedKey(post: Post, signature: SignatureKind): RequestKey {
  const { name, header, bytes, sent } = post;
  if (signature === 'stripe') {
    const id = stripeId(sent.body);
    if (id !== undefined) return senderKey('stripe', id, { name, from: 'id' });
  } else if (header(ID_HEADERS[signature]) !== '') {
    return headerIdKey(signature, post);
  }
  return senderKey('digest', createHash('sha256').update(bytes).digest('hex'), { name, from: 'body' });
}

function headerIdKey(kind: keyof typeof ID_HEADERS, post: Post): RequestKey {
  const from = ID_HEADERS[kind];
  const key = senderKey(kind, post.header(from), { name: post.name, from });
  return { ...key, formerIdentity: formerIdentity(post) };
}

/** The identity that releases before the comparison by meaning stored. */
function formerIdentity({ name, bytes }: Post): string {
  return `event ${name} ${bytes.toString('base64')}`;
}

function stripeId(body: unknown): string | undefined {
  const { id } = (body ?? {}) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? id : undefined;
}
