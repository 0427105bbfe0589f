import type { Logger } from 'pino';
import type { ApiConfig } from '../config/api.ts';
import type { Scope, UserRole } from '../domain/scope.ts';
import type { Reach } from '../store/reach.ts';
import type { WebhookClient } from '../webhooks/client.ts';
import type { Authority } from './auth/authority.ts';
import type { Temporal } from './temporal/connect.ts';

/** Who makes a request, as he stands now (spec 5). */
export interface Principal {
  user: string;
  organization: string;
  role: UserRole;
  /** The lower of what his token and his role give. */
  scope: Scope;
  reach: Reach;
  /** What the token belongs to: a family of tokens, or an API key. */
  credential: { family: string } | { apiKey: string };
}

/** Makes the names of new records: the same ones again when the request is taken over under its Idempotency-Key. */
export interface Mint {
  id: () => string;
  slug: () => string;
}

/** A request after it passed the gates of its route. */
export interface OpenRequest<B = unknown> {
  params: Record<string, string>;
  /** Without the question mark, still encoded. */
  querystring: string;
  /** Checked against the route's schema; what the schema does not know is not in it. */
  body: B;
  /** ISO 8601 UTC. */
  receivedAt: string;
  mint: Mint;
}

/** A request by somebody who is known. */
export interface ApiRequest<B = unknown> extends OpenRequest<B> {
  principal: Principal;
}

/** What a handler answers. Without a body: 204. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** All that handlers use of this process. */
export interface Api {
  config: Readonly<ApiConfig>;
  temporal: Temporal;
  authority: Authority;
  webhooks: Pick<WebhookClient, 'verifyWebhook'>;
  log: Logger;
}

export type Handler<B> = (request: ApiRequest<B>, api: Api) => Promise<Answer>;
export type OpenHandler<B> = (request: OpenRequest<B>, api: Api) => Promise<Answer>;
