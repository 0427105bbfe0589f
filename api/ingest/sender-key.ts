import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { SentEvent } from '../pipeline/event-body/event-body.ts';
import { cloudEventKey, headerKey, senderKey } from '../pipeline/request-key.ts';
import type { RequestKey } from '../pipeline/request-key.ts';
import type { SignatureKind } from '../../domain/events/sender-signature.ts';

/** Headers with the id of what a kind of sender sends. */
const ID_HEADERS = {
  'standard-webhooks': 'webhook-id',
  github: 'X-GitHub-Delivery',
  shopify: 'X-Shopify-Webhook-Id',
} as const;

/** Fields of the body with that id. */
const ID_FIELDS = { stripe: 'id', slack: 'event_id' } as const;

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
  if (cloudEvent) return cloudEventKey(cloudEvent, name);
  const kinds = Object.keys(ID_HEADERS) as (keyof typeof ID_HEADERS)[];
  const kind = kinds.find((one) => header(ID_HEADERS[one]) !== '');
  if (kind) return headerIdKey(kind, post);
  return headerKey(header('Idempotency-Key'), `event ${name} ${canonicalJson(body)}`);
}

function signedKey(post: Post, signature: SignatureKind): RequestKey {
  const { name, header, bytes, sent } = post;
  if (signature === 'stripe' || signature === 'slack') {
    const from = ID_FIELDS[signature];
    const id = textAt(sent.body, from);
    if (id !== undefined) return senderKey(signature, id, { name, from });
  } else if (header(ID_HEADERS[signature]) !== '') {
    return headerIdKey(signature, post);
  }
  return senderKey('digest', createHash('sha256').update(bytes).digest('hex'), { name, from: 'body' });
}

function headerIdKey(kind: keyof typeof ID_HEADERS, post: Post): RequestKey {
  const from = ID_HEADERS[kind];
  return senderKey(kind, post.header(from), { name: post.name, from });
}

function textAt(body: unknown, field: string): string | undefined {
  const value = ((body ?? {}) as Record<string, unknown>)[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
