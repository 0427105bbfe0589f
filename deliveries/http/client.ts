import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { Agent } from 'undici';
import type { AllowedNetworks } from './address.ts';
import {
  guardedConnector,
  openGuarded,
  resolveAddresses,
  resolveHost,
  limitSmallPieces,
} from './connector.ts';
import { MAX_FILE_BYTES } from '../../domain/files/media.ts';
import { fetchFile } from './download.ts';
import type { FileRequest, FetchedFile } from './download.ts';
import { exchange } from './exchange.ts';
import type { AwaitTurn, Exchange } from './exchange.ts';
import type { Reads, Resolve } from './connector.ts';
import { signatureHeaders } from './signature.ts';
import { withQuery } from './address.ts';
import { definedFields } from '../../domain/record-fields.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';

export interface WebhookClientOptions {
  /** Limit of one attempt, from connecting to the last byte. */
  timeoutMs: number;
  allowedNetworks: AllowedNetworks;
  version: string;
  /** Clock for signatures, in milliseconds since 1970: receivers reject a wrong time. */
  now?: () => number;
  resolve?: Resolve;
}

/** A POST is never repeated. */
export interface ProviderRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
}

export interface WebhookRequest {
  url: string;
  id: string;
  body: string;
  /** Current secret first. Without secrets, the request is unsigned. */
  secrets: readonly string[];
  trace?: string | undefined;
  signal?: AbortSignal | undefined;
  awaitTurn?: AwaitTurn | undefined;
  reads?: Reads | undefined;
}

/** `reason`: for the service's owner (spec 7.2). */
export type Verification = { verified: true } | { verified: false; reason: string };

/**
 * Contacts no private address outside `allowedNetworks`, follows no redirect, and bounds time and
 * bytes (spec 7.2).
 */
export interface WebhookClient {
  /** Sends one delivery with a new signature. Rejects only when `signal` aborts it. */
  sendWebhook(request: WebhookRequest): Promise<Exchange>;
  /** Requests the url, which status 200 verifies. Rejects only when `close` aborts the request. */
  verifyWebhook(url: string): Promise<Verification>;
  /** Rejects only when `signal` or `close` aborts it. */
  requestProvider(request: ProviderRequest): Promise<Exchange>;
  /** Rejects only when `signal` aborts it. */
  fetchFile(request: FileRequest): Promise<FetchedFile>;
  /** Opens a TCP connection, which the caller closes. Rejects if the host cannot be reached. */
  openSocket(target: { host: string; port: number }): Promise<Socket>;
  /** Returns the addresses of a host that may be contacted. Rejects without such an address. */
  findAddresses(host: string): Promise<string[]>;
  close(): Promise<void>;
}

// Receivers usually close idle connections after 5 s. `exchange` bounds the attempt.
const TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000 };
const MAX_FILE_ON_THE_WIRE = MAX_FILE_BYTES + 1024 * 1024;
const ONE_REQUEST = { ...TIMEOUTS, pipelining: 0 };

export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeoutMs, allowedNetworks, version, now = Date.now, resolve = resolveHost } = options;
  const userAgent = `Parlance/${version}`;
  const closing = new AbortController();
  const connect = guardedConnector({ allowedNetworks, resolve, timeoutMs });
  const agents = { kept: new Agent({ connect, ...TIMEOUTS }), fresh: new Agent({ connect, ...ONE_REQUEST }) };
  const fileConnect = guardedConnector({
    allowedNetworks,
    resolve,
    timeoutMs,
    maxAnswerBytes: MAX_FILE_ON_THE_WIRE,
  });
  const fileAgent = new Agent({ connect: fileConnect, ...TIMEOUTS });
  const dispatchers = {
    kept: agents.kept.compose(limitSmallPieces),
    fresh: agents.fresh.compose(limitSmallPieces),
  };
  return {
    sendWebhook: ({ url, id, body, secrets, trace, ...reading }) =>
      exchange(dispatchers, {
        url,
        method: 'POST',
        headers: {
          'user-agent': userAgent,
          ...deliveryHeaders({ id, body, secrets }, now()),
          ...definedFields({ traceparent: trace }),
        },
        body,
        timeoutMs,
        now,
        ...reading,
      }),
    async verifyWebhook(url) {
      const challenge = randomBytes(16).toString('hex');
      const end = await exchange(dispatchers, {
        url: withQuery(url, { type: 'subscribe', challenge }),
        method: 'GET',
        headers: { 'user-agent': userAgent },
        timeoutMs,
        now,
        signal: closing.signal,
      });
      return toVerification(end);
    },
    requestProvider: ({ headers, signal = closing.signal, ...request }) =>
      exchange(dispatchers, {
        ...{ ...request, timeoutMs, now, signal },
        headers: { 'user-agent': userAgent, ...headers },
        isOnce: request.method === 'POST',
      }),
    openSocket: (target) => openGuarded({ allowedNetworks, resolve, timeoutMs }, target),
    findAddresses: (host) => resolveAddresses(host, { allowedNetworks, resolve }),
    fetchFile: (request) => fetchFile(fileAgent.compose(limitSmallPieces), { ...request, userAgent }),
    async close() {
      closing.abort(new Error('The client is closed.'));
      await Promise.all([agents.kept, agents.fresh, fileAgent].map((agent) => agent.destroy()));
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
  const answered = status === undefined ? outcome : `it responded with ${status}${where}`;
  return { verified: false, reason: `Verification failed: ${answered}.${reason ? ` ${reason}` : ''}` };
}

/** Records each attempt for a traced event as a span of that trace. */
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
