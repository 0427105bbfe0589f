import type { Static, TObject, TSchema } from 'typebox';
import { notFound } from '../domain/errors.ts';
import type { AnnouncedResource } from '../domain/resources.ts';
import type { Scope } from '../domain/scope.ts';
import type { HandlerResult, Api, ApiRequest, Handler, OpenHandler, OpenRequest } from './request.ts';
import { bodyCheck } from '../application/schema/check.ts';
import type { BodyCheck } from '../application/schema/check.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RouteOptions<S extends TSchema> {
  /** Schema of the body; without one the route reads none. */
  body?: S;
  /** How the body is written: JSON unless this says text, which the handler gets as it was sent. */
  bodyType?: 'text/plain';
  /**
   * The body is a business event: in what other types it is taken, and how those are written (spec
   * 8.7).
   */
  eventTypes?: Readonly<Record<string, TSchema>>;
  /** Schema of a successful answer's body, for the documentation. */
  answer?: TSchema;
  /** How a successful answer is written, for the documentation: JSON unless this says another. */
  answerType?: 'text/event-stream';
  /** Query parameters besides those of lists, for the documentation. */
  query?: TObject;
  /**
   * Statuses of success where they are not the usual ones: 201 for what `creates`, 204 without
   * `answer`, else 200.
   */
  statuses?: readonly number[];
  /**
   * The scope that suffices for a caller's own record (spec 4.2: "self"); the path names it by
   * `id`.
   */
  self?: Scope;
  /** For sessions only: API keys are refused (spec 3). */
  session?: boolean;
  /** An Idempotency-Key may stand for the request (spec 2.8). */
  creates?: boolean;
  /** The event that webhooks hear of when it was done (spec 7.4). */
  announces?: AnnouncedEvent;
  /** The answer shows a secret: nothing on the way may keep it (spec 2.8). */
  secret?: boolean;
  /** A ticket in the query may stand for the token, once (spec 5.12). */
  ticket?: boolean;
  /** The body has a business event in it: long whole numbers become texts (spec 8.7). */
  holdsEvent?: boolean;
}

export type AnnouncedEvent = `${AnnouncedResource}.${'create' | 'update' | 'delete'}`;

/** One row of the route table. */
export interface Route {
  method: Method;
  /** Below /v2, with `:name` for its variable parts. */
  path: string;
  /** The lowest scope that is let in; null: anybody, without a token. */
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
  /** One sentence for the documentation. */
  summary: string;
  checkBody: BodyCheck | undefined;
  run: (request: OpenRequest & Partial<Pick<ApiRequest, 'principal'>>, api: Api) => Promise<HandlerResult>;
}

type Address = `${Method} /${string}`;

/** A row for callers with a token. */
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
      // The gate before let nobody pass without one.
      if (!principal) throw notFound('The caller');
      return handler({ ...request, principal } as ApiRequest<Static<S>>, api);
    },
  };
}

/** A row that is open to anybody. */
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
