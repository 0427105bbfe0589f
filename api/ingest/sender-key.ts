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
 * By what it is known that a sender sends the same event again (spec 8.9): the id and source of a
 * CloudEvent, else the id that such a sender gives every event, else the header `Idempotency-Key`.
 */
export function ingestKey({ signature, name, header, bytes, sent }: Post): RequestKey | undefined {
  const { cloudEvent, body } = sent;
  if (cloudEvent) return cloudEventKey(cloudEvent, name, body);
  const identity = `event ${name} ${bytes.toString('base64')}`;
  if (signature === 'stripe') {
    const id = stripeId(body);
    // What surrounds the object of an event, such as `pending_webhooks`, may differ when it is sent
    // again. The id is signed.
    if (id !== undefined) return senderKey('stripe', id, `event ${name}`);
  } else {
    const kinds = signature ? [signature] : (Object.keys(ID_HEADERS) as (keyof typeof ID_HEADERS)[]);
    const kind = kinds.find((one) => header(ID_HEADERS[one]) !== '');
    if (kind) return senderKey(kind, header(ID_HEADERS[kind]), identity);
  }
  return headerKey(header('Idempotency-Key'), identity);
}

function stripeId(body: unknown): string | undefined {
  const { id } = (body ?? {}) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? id : undefined;
}
