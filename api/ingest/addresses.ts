import { createHash, randomBytes } from 'node:crypto';
import { isWithinReach } from '../../store/queries/reach.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { EventTypeDocument, IngestAddress } from '../../store/records/eventtypes.ts';
import { canonicalJson } from '../../domain/json.ts';
import type { SentEvent } from '../pipeline/event-body.ts';
import { cloudEventKey, headerKey, senderKey } from '../pipeline/idempotency.ts';
import type { RequestKey } from '../pipeline/idempotency.ts';
import type { IngestSignature } from '../../domain/events/business-event.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export type IngestEventType = EventTypeDocument & { ingest: IngestAddress };

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns an irreversible digest: the token has 256 random bits. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Throws DomainError `not_found` for a deleted user, `forbidden` unless the user is a bot in or
 * below the event type's organization.
 */
export async function loadSender({ _id, organization, ingest }: IngestEventType): Promise<Principal> {
  const user = await findAccount({ _id: ingest.user });
  if (!user) throw notFound('The ingest address');
  if (user.role !== 'bot' || !(await isWithinReach({ organization }, user.organization))) {
    throw new DomainError('forbidden', 'The author of the posts to this address may no longer post events.');
  }
  return {
    user: user._id,
    organization: user.organization,
    role: user.role,
    scope: 'bot',
    reach: { organization: user.organization },
    credential: { ingest: _id },
  };
}

/** Svix has its own names for the headers of Standard Webhooks. */
const ID_HEADERS = {
  'standard-webhooks': ['webhook-id', 'svix-id'],
  github: ['X-GitHub-Delivery'],
  shopify: ['X-Shopify-Webhook-Id'],
} as const;

const ID_FIELDS = { stripe: 'id', slack: 'event_id' } as const;

interface Post {
  signature: IngestSignature | undefined;
  name: string;
  header: (name: string) => string;
  bytes: Buffer;
  sent: SentEvent;
}

/**
 * Returns the key that repetitions of a post share (spec 8.9). Unsigned posts: id and source of a
 * CloudEvent, else a known id header, else `Idempotency-Key`. Signed posts: the sender's id, else a
 * digest of the bytes.
 */
export function ingestKey(post: Post): RequestKey | undefined {
  const { signature, name, header, sent } = post;
  if (signature) return signedKey(post, signature);
  const { cloudEvent, body } = sent;
  if (cloudEvent) return cloudEventKey(cloudEvent, name);
  const kinds = Object.keys(ID_HEADERS) as (keyof typeof ID_HEADERS)[];
  for (const kind of kinds) {
    const key = headerIdKey(kind, ID_HEADERS[kind], post);
    if (key) return key;
  }
  return headerKey(header('Idempotency-Key'), `event ${name} ${canonicalJson(body)}`);
}

function signedKey(post: Post, signature: IngestSignature): RequestKey {
  const { name, bytes, sent } = post;
  let key: RequestKey | undefined;
  if (typeof signature === 'object') {
    key = headerIdKey('hmac', signature.idHeader === undefined ? [] : [signature.idHeader], post);
  } else if (signature === 'stripe' || signature === 'slack') {
    const from = ID_FIELDS[signature];
    const id = textAt(sent.signed, from);
    key = id === undefined ? undefined : senderKey(signature, id, { name, from });
  } else {
    key = headerIdKey(signature, ID_HEADERS[signature], post);
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  return key ?? { ...senderKey('digest', digest, { name, from: 'body' }), isDigest: true };
}

function headerIdKey(kind: string, headers: readonly string[], post: Post): RequestKey | undefined {
  const from = headers.find((one) => post.header(one) !== '');
  return from === undefined ? undefined : senderKey(kind, post.header(from), { name: post.name, from });
}

function textAt(body: unknown, field: string): string | undefined {
  const value = ((body ?? {}) as Record<string, unknown>)[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
