import type { Static, TObject, TSchema } from 'typebox';
import { notFound } from '../domain/errors.ts';
import type { AnnouncedResource } from '../domain/resources.ts';
import type { Scope } from '../domain/scope.ts';
import type { HandlerResult, Api, ApiRequest, Handler, OpenHandler, OpenRequest } from './request.ts';
import { bodyCheck } from '../application/schema/check.ts';
import type { BodyCheck } from '../application/schema/check.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RouteOptions<S extends TSchema> {
  /** Without a schema the route reads no body. */
  body?: S;
  /** JSON by default. The handler gets a text as sent. */
  bodyType?: 'text/plain';
  /** Further media types of a business event (spec 8.7). */
  eventTypes?: Readonly<Record<string, TSchema>>;
  /** For the documentation only. */
  answer?: TSchema;
  /** For the documentation only. JSON by default. */
  answerType?: 'text/event-stream';
  /** For the documentation only, besides the parameters of lists. */
  query?: TObject;
  /** By default 201 with `creates`, 204 without `answer`, else 200. */
  statuses?: readonly number[];
  /** Scope for the caller's own record (spec 4.2: "self"). */
  self?: Scope;
  /** Rejects API keys (spec 3). */
  session?: boolean;
  /** Accepts an Idempotency-Key (spec 2.8). */
  creates?: boolean;
  /** Event published after success (spec 7.4). */
  announces?: AnnouncedEvent;
  /** Prevents caching of the response (spec 2.8). */
  secret?: boolean;
  /** Accepts a ticket instead of the token (spec 5.12). */
  ticket?: boolean;
  /** Long integers become texts, as in a business event (spec 8.7). */
  holdsEvent?: boolean;
}

export type AnnouncedEvent = `${AnnouncedResource}.${'create' | 'update' | 'delete'}`;

export interface Route {
  method: Method;
  /** Below /v2, with `:name` for variable parts. */
  path: string;
  /** Null: needs no token. */
  scope: Scope | null;
  self: Scope | undefined;
  session: boolean;
  creates: boolean;
  announces: AnnouncedEvent | undefined;
  secret: boolean;
  ticket: boolean;
  holdsEvent: boolean;
  body: TSchema | undefined;
  bodyType: 'application/json' | 'text/plain';
  eventTypes: Readonly<Record<string, TSchema>> | undefined;
  answer: TSchema | undefined;
  answerType: 'application/json' | 'text/event-stream';
  query: TObject | undefined;
  statuses: readonly number[];
  summary: string;
  checkBody: BodyCheck | undefined;
  run: (request: OpenRequest & Partial<Pick<ApiRequest, 'principal'>>, api: Api) => Promise<HandlerResult>;
}

type Address = `${Method} /${string}`;

export function route<S extends TSchema = TSchema>(
  address: Address,
  scope: Scope,
  summary: string,
  handler: Handler<Static<S>>,
  options: RouteOptions<S> = {},
): Route {
  return {
    ...row(address, summary, options),
    scope,
    run: ({ principal, ...request }, api) => {
      // Cannot happen: the pipeline requires a token.
      if (!principal) throw notFound('The caller');
      return handler({ ...request, principal } as ApiRequest<Static<S>>, api);
    },
  };
}

export function openRoute<S extends TSchema = TSchema>(
  address: Address,
  summary: string,
  handler: OpenHandler<Static<S>>,
  options: RouteOptions<S> = {},
): Route {
  return {
    ...row(address, summary, options),
    scope: null,
    run: (request, api) => handler(request as OpenRequest<Static<S>>, api),
  };
}

function row<S extends TSchema>(
  address: Address,
  summary: string,
  options: RouteOptions<S>,
): Omit<Route, 'scope' | 'run'> {
  const [method, path] = address.split(' ') as [Method, string];
  const { body, eventTypes, answer, query, self, announces, session = false, creates = false } = options;
  const {
    secret = false,
    ticket = false,
    holdsEvent = false,
    bodyType = 'application/json',
    answerType = 'application/json',
  } = options;
  const { statuses = [usualStatus({ creates, answer })] } = options;
  const checkBody = body && bodyCheck(body, method === 'PATCH' ? 'patch' : 'whole');
  return {
    method,
    path,
    summary,
    body,
    bodyType,
    eventTypes,
    answer,
    answerType,
    query,
    statuses,
    self,
    session,
    creates,
    announces,
    secret,
    ticket,
    holdsEvent,
    checkBody,
  };
}

function usualStatus({ creates, answer }: { creates: boolean; answer: TSchema | undefined }): number {
  if (creates) return 201;
  return answer ? 200 : 204;
}
