import type { Static, TObject, TSchema } from 'typebox';
import type { Principal } from '../application/auth/principal.ts';
import type { AnnouncedResource } from '../domain/resources.ts';
import type { Scope } from '../domain/scope.ts';
import type { Handler, OpenHandler } from './request.ts';
import { bodyCheck } from '../schema/check.ts';
import type { BodyCheck } from '../schema/check.ts';

export type BodyType = 'application/json' | 'application/x-ndjson' | 'text/plain';
export type AnswerType = 'application/json' | 'application/x-ndjson' | 'text/event-stream';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RouteOptions<S extends TSchema> {
  body?: S;
  /** A request without a body is read as `{}`. */
  bodyIsOptional?: boolean;
  /** JSON by default. */
  bodyType?: Exclude<BodyType, 'application/json'>;
  /** The handler reads the body, a form with one file or the file itself (spec 6.11). */
  takesFile?: boolean;
  /** Further media types of a business event (spec 8.7). */
  eventTypes?: Readonly<Record<string, TSchema>>;
  /** Documents the response, and determines its ETag and default status. */
  answer?: TSchema;
  /** For the documentation. JSON by default. */
  answerType?: Exclude<AnswerType, 'application/json'>;
  /** For the documentation. */
  query?: TObject;
  /** Default: 201 with `creates`, 204 without `answer`, else 200. */
  statuses?: readonly number[];
  /** Scope for the caller's own record (spec 4.2). */
  self?: Scope;
  /** Records that a caller with a lower scope may change too. */
  own?: OwnRecord;
  /** Rejects API keys (spec 3). */
  session?: boolean;
  /** Accepts an Idempotency-Key (spec 2.8). */
  creates?: boolean;
  /** Event published after success (spec 7.4). */
  announces?: AnnouncedEvent;
  /** Prevents caching (spec 2.8). */
  secret?: boolean;
  /** Accepts a ticket instead of the token (spec 5.12). */
  ticket?: boolean;
  /** Refuses unknown fields, also without `Prefer`: a mistyped name would weaken the security. */
  refusesUnknown?: boolean;
  /** Long integers become texts, as in a business event (spec 8.7). */
  holdsEvent?: boolean;
}

export interface OwnRecord {
  /** Ends the sentence "Needs scope admin; ". */
  words: string;
  isOwn: (principal: Principal, id: string) => Promise<boolean>;
}

export type AnnouncedEvent = `${AnnouncedResource}.${'create' | 'update' | 'delete'}`;

export interface Route extends Omit<RouteOptions<TSchema>, 'bodyType' | 'answerType'> {
  method: Method;
  /** Relative to /v2, or to the root for pages. `:name` stands for a variable part. */
  path: string;
  /** Null: needs no token. */
  scope: Scope | null;
  bodyType: BodyType;
  answerType: AnswerType;
  statuses: readonly number[];
  summary: string;
  checkBody: BodyCheck | undefined;
  run: OpenHandler<unknown>;
}

type Address = `${Method} /${string}`;

export function route<S extends TSchema = TSchema>(
  address: Address,
  scope: Scope,
  summary: string,
  handler: Handler<Static<S>>,
  options?: RouteOptions<S>,
): Route {
  // The pipeline adds the principal.
  return { ...row(address, summary, options), scope, run: handler as OpenHandler<unknown> };
}

export function openRoute<S extends TSchema = TSchema>(
  address: Address,
  summary: string,
  handler: OpenHandler<Static<S>>,
  options?: RouteOptions<S>,
): Route {
  return { ...row(address, summary, options), scope: null, run: handler as OpenHandler<unknown> };
}

function row(
  address: Address,
  summary: string,
  options: RouteOptions<TSchema> = {},
): Omit<Route, 'scope' | 'run'> {
  const [method, path] = address.split(' ') as [Method, string];
  const { body, creates, answer, bodyType = 'application/json', answerType = 'application/json' } = options;
  const { statuses = [creates ? 201 : answer ? 200 : 204] } = options;
  const checkBody = body && bodyCheck(body, method === 'PATCH' ? 'patch' : 'whole');
  return { ...options, method, path, summary, bodyType, answerType, statuses, checkBody };
}
