import type { Logger } from 'pino';
import type { ApiConfig } from '../platform/config/api.ts';
import type { WebhookClient } from '../deliveries/http/client.ts';
import type { Authority } from '../application/auth/authority.ts';
import type { Principal } from '../application/auth/principal.ts';
import type { IdGenerator } from '../application/posting/id-generator.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import type { FieldPath } from './pipeline/ignored-header.ts';
import type { Streams } from './streams/streams.ts';
import type { ExpressionPool } from '../application/expressions/pool.ts';
import type { AdmissionQueue } from './limits/door.ts';
import type { ListConcurrency } from './limits/lists.ts';
import type { Temporal } from '../workflows/client/connect.ts';
import { invalidRequest } from '../domain/errors.ts';

/**
 * What a request says of the program that sent it. A stream outlives its request's gates and asks
 * again by itself.
 */
export interface Client {
  /** Whose address it came from: of IPv6 the /64. */
  address: string;
  /** The bearer's token; empty without one. */
  token: string;
  /** The header `Last-Event-ID`; empty without it. */
  lastEventId: string;
  /** The header `Accept-Language`; empty without it. */
  languages: string;
  /** The header `Cookie`; empty without it. */
  cookies: string;
  /** The header `X-CSRF-Token`; empty without it. */
  csrfToken: string;
  /** The header `Origin`: the website that asks; empty without it. */
  origin: string;
  /** The header `Host`. */
  host: string;
  /** Whether it came from this machine, past no proxy. */
  isLocal: boolean;
}

/** What a business event says of itself besides its body. */
export interface EventSent {
  /** The type that a CloudEvent names. */
  type?: string;
  /** By which it is known that the same event comes again (spec 8.8). */
  key?: { digest: string; isSenders?: true };
}

/** A request after it passed the gates of its route. */
export interface OpenRequest<B = unknown> {
  /** The record that the path names as `:id`; empty where it names none. */
  id: string;
  /** All variable parts of the path. */
  params: Record<string, string>;
  /** Without the question mark, still encoded. */
  querystring: string;
  /** Checked against the route's schema; what the schema does not know is not in it. */
  body: B;
  /** The header `If-Match`; empty without it. */
  ifMatch: string;
  /** ISO 8601 UTC. */
  receivedAt: string;
  ids: IdGenerator;
  client: Client;
  event?: EventSent;
}

/** A request by somebody who is known. */
export interface ApiRequest<B = unknown> extends OpenRequest<B> {
  principal: Principal;
}

/** What a handler answers. Without a body: 204. */
export interface HandlerResult {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /**
   * Fields of the body that its schema knows, and that were ignored all the same: the steps to each
   * (spec 2).
   */
  ignored?: FieldPath[];
  /** What is worth knowing though nothing is wrong: ASCII, for the header `X-Hint` (spec 2.2). */
  hints?: string[];
}

/** All that handlers use of this process. */
export interface Api {
  config: Readonly<ApiConfig>;
  temporal: Temporal;
  posting: PostingDeps;
  authority: Authority;
  webhooks: Pick<WebhookClient, 'verifyWebhook' | 'sendWebhook'>;
  streams: Streams;
  /** For business events, checks and previews. */
  expressions: ExpressionPool;
  /** Where events are let in, and where previews and checks of expressions are. */
  admissionQueues: Record<'events' | 'expressions', AdmissionQueue>;
  /** Where lists are let in. */
  lists: ListConcurrency;
  log: Logger;
  /** Aborted when this process is told to end. */
  ending: AbortSignal;
}

export type Handler<B> = (request: ApiRequest<B>, api: Api) => Promise<HandlerResult>;
export type OpenHandler<B> = (request: OpenRequest<B>, api: Api) => Promise<HandlerResult>;

/** Throws DomainError `invalid_request` for a parameter of the query that is not one of `known`. */
export function assertKnownParameters(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names)
    if (!known.includes(name)) throw invalidRequest(name, 'is not a parameter of this request');
}
