import { randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import type { AllowedNetworks } from './address.ts';
import { guardedConnector, resolveHost, limitSmallPieces } from './connector.ts';
import { exchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Resolve } from './connector.ts';
import { signatureHeaders } from './signature.ts';
import { withQuery } from './address.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';

export interface WebhookClientOptions {
  /** For one attempt, from connecting to the last byte. */
  timeoutMs: number;
  /** Networks that may be reached although they are not public, in CIDR notation. */
  allowedNetworks: AllowedNetworks;
  /** The product's version, for `User-Agent`. */
  version: string;
  /**
   * The time that deliveries are signed with, in milliseconds since 1970: receivers refuse what is
   * minutes off. Default: this machine's.
   */
  now?: () => number;
  /** Another source of addresses than the system's name service. */
  resolve?: Resolve;
}

/** One delivery as it goes out. */
export interface WebhookRequest {
  url: string;
  /** The event's id. */
  id: string;
  body: string;
  /** The current secret first; none: unsigned. */
  secrets: readonly string[];
  /** Where it is in a trace, for the receiver's own spans (`traceparent`). */
  trace?: string;
  /** Cuts the attempt off. */
  signal?: AbortSignal;
}

/** Whether a webhook was verified (spec 7.2); `reason` is for the service's owner. */
export type Verification = { verified: true } | { verified: false; reason: string };

/**
 * Speaks to webhooks: never to a private address, never following a redirect, bounded in time and
 * bytes (spec 7.2).
 */
export interface WebhookClient {
  /** Sends one delivery, newly signed. Rejects only when `signal` cuts it off. */
  sendWebhook(request: WebhookRequest): Promise<Exchange>;
  /**
   * Asks a url whether it wants to be a webhook: `GET {url}?type=subscribe&challenge=…`, 200 is
   * yes. Never rejects for what the url does, but where `close` cuts it off.
   */
  verifyWebhook(url: string): Promise<Verification>;
  /** Ends all connections. */
  close(): Promise<void>;
}

// The time of the whole attempt is bounded; and a connection is let go before the usual receiver (5
// s) closes it under a request.
const TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000 };
/** Connections that end with their answer: none is there to be used again. */
const ONE_REQUEST = { ...TIMEOUTS, pipelining: 0 };

/** A client of its own connections. */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeoutMs, allowedNetworks, version, now = Date.now, resolve = resolveHost } = options;
  const userAgent = `Parlance/${version}`;
  const closing = new AbortController();
  const connect = guardedConnector({ allowedNetworks, resolve, timeoutMs });
  const agents = { kept: new Agent({ connect, ...TIMEOUTS }), fresh: new Agent({ connect, ...ONE_REQUEST }) };
  const dispatchers = {
    kept: agents.kept.compose(limitSmallPieces),
    fresh: agents.fresh.compose(limitSmallPieces),
  };
  return {
    sendWebhook: ({ url, id, body, secrets, trace, signal }) =>
      exchange(dispatchers, {
        url,
        method: 'POST',
        headers: {
          'user-agent': userAgent,
          ...deliveryHeaders({ id, body, secrets }, now()),
          ...(trace === undefined ? {} : { traceparent: trace }),
        },
        body,
        timeoutMs,
        now,
        ...(signal ? { signal } : {}),
      }),
    async verifyWebhook(url) {
      const challenge = randomBytes(16).toString('hex');
      const asked = withQuery(url, { type: 'subscribe', challenge });
      const headers = { 'user-agent': userAgent };
      const { signal } = closing;
      return toVerification(
        await exchange(dispatchers, { url: asked, method: 'GET', headers, timeoutMs, now, signal }),
      );
    },
    async close() {
      closing.abort(new Error('The client is closed.'));
      await Promise.all([agents.kept.destroy(), agents.fresh.destroy()]);
    },
  };
}

function deliveryHeaders(
  { id, body, secrets }: Pick<WebhookRequest, 'id' | 'body' | 'secrets'>,
  nowMs: number,
) {
  const timestamp = Math.floor(nowMs / 1000);
  const [current, ...earlier] = secrets;
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(current ? signatureHeaders([current, ...earlier], { id, timestamp, body }) : {}),
  };
}

function toVerification({ status, outcome, reason, redirectsTo }: Exchange): Verification {
  if (status === 200) return { verified: true };
  const where = redirectsTo === undefined ? '' : ` to ${redirectsTo}`;
  const answered = status === undefined ? outcome : `it answered ${status}${where}`;
  return { verified: false, reason: `Verification failed: ${answered}.${reason ? ` ${reason}` : ''}` };
}

/**
 * A client whose deliveries are spans of the traces that their events belong to; the receiver is
 * told of the span (`traceparent`).
 */
export function tracedWebhooks(tracer: Tracer | undefined, client: WebhookClient): WebhookClient {
  if (!tracer) return client;
  return {
    ...client,
    async sendWebhook(request) {
      if (request.trace === undefined) return client.sendWebhook(request);
      const facts = { 'parlance.event': request.id };
      const span = tracer.begin('webhook', { kind: 'client', parent: request.trace, facts });
      const trace = span.traceparent ?? request.trace;
      try {
        const end = await client.sendWebhook({ ...request, trace });
        const found = { 'parlance.outcome': end.outcome, 'http.response.status_code': end.status };
        span.end({ failed: end.outcome !== 'delivered', facts: found });
        return end;
      } catch (error) {
        span.end({ failed: true, facts: { 'parlance.outcome': 'cut_off' } });
        throw error;
      }
    },
  };
}
