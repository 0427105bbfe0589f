import { createHmac } from 'node:crypto';
import type { ApiClient } from './client.ts';
import { eventually } from './eventually.ts';
import type { Product } from './product.ts';

/** An ingest address of an event type. */
export interface Ingest {
  url: string;
  user: string;
  eventtype: string;
}

/** Creates an ingest address and returns it. */
export async function newIngest(
  { admin }: Pick<Product, 'admin'>,
  eventtype: string,
  body: { user: string; secret?: string; signature?: string | object; verifyToken?: string },
): Promise<Ingest> {
  const made = await admin.post(`/eventtypes/${eventtype}/ingest`, body);
  if (made.status !== 201) throw new Error(`no address: ${JSON.stringify(made.body)}`);
  return made.body;
}

/** The parts of a response that a sender reads. */
export interface SenderResponse {
  status: number;
  headers: Headers;
  body: any;
}

/** Posts as an external system does. The body is JSON unless the headers set another type. */
export async function postTo(
  url: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<SenderResponse> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
    signal: AbortSignal.timeout(40_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/**
 * Posts as `postTo`, and waits for the outcome of an accepted event: on a slow machine the response
 * may come before it.
 */
export async function postAndWait(
  reader: Pick<ApiClient, 'get'>,
  ...[url, body, headers]: Parameters<typeof postTo>
): Promise<SenderResponse> {
  const answer = await postTo(url, body, headers);
  if (answer.status !== 202 || answer.body.status !== 'received') return answer;
  const outcome = await eventually(async () => {
    const { body: event } = await reader.get(`/events/${answer.body.id}`);
    return event.status !== 'received' && event;
  });
  const { id, status, conversations, messages, error } = outcome;
  return { ...answer, body: { id, status, conversations, messages, ...(error ? { error } : {}) } };
}

const seconds = () => Math.floor(Date.now() / 1000);

/**
 * Functions that create the signature headers of each kind of sender, according to the sender's
 * documentation.
 */
export const SIGNED = {
  'standard-webhooks': (secret: string, body: string | Buffer, id = 'msg_1', at = seconds()) => {
    const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
    const mac = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac}` };
  },
  github: (secret: string, body: string | Buffer, id = 'delivery-1') => ({
    'X-GitHub-Delivery': id,
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
  stripe: (secret: string, body: string | Buffer, _id?: string, at = seconds()) => ({
    'Stripe-Signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')},v0=00`,
  }),
  shopify: (secret: string, body: string | Buffer, id = 'webhook-1') => ({
    'X-Shopify-Webhook-Id': id,
    'X-Shopify-Hmac-Sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
  slack: (secret: string, body: string | Buffer, _id?: string, at = seconds()) => ({
    'X-Slack-Request-Timestamp': String(at),
    'X-Slack-Signature': `v0=${createHmac('sha256', secret).update(`v0:${at}:`).update(body).digest('hex')}`,
  }),
};

export type SenderKind = keyof typeof SIGNED;
