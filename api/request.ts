import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { ApiConfig } from '../platform/config/processes.ts';
import type { ProviderClient } from '../deliveries/channels/contract.ts';
import type { WebhookClient } from '../deliveries/http/client.ts';
import type { Authority } from '../application/auth/authority.ts';
import type { Principal } from '../application/auth/principal.ts';
import type { IdGenerator } from '../application/posting/id-generator.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import type { FileContents } from '../store/files/contents.ts';
import type { Streams } from './streams/streams.ts';
import type { ExpressionPool } from '../application/expressions/pool.ts';
import type { FairScheduler } from '../platform/concurrency/fair-scheduler.ts';
import type { ListConcurrency } from './limits/list-concurrency.ts';
import type { Temporal } from '../workflows/client/connect.ts';
import { invalidRequest } from '../domain/errors.ts';
import type { EventContext } from '../domain/events/event-context.ts';

/** Streams keep the client, to authenticate again later. */
export interface Client {
  /** IPv4 address, or the /64 network of an IPv6 address. */
  address: string;
  /** Texts below are empty if absent. */
  token: string;
  lastEventId: string;
  languages: string;
  cookies: string;
  csrfToken: string;
  origin: string;
  host: string;
  /** Whether the request comes from this machine, without a proxy. */
  isLocal: boolean;
}

interface EventSent {
  context: EventContext;
  type?: string | undefined;
  /** Identifies repetitions (spec 8.8). */
  key?: { digest: string; isSenders?: true; isDigest?: true } | undefined;
}

export interface Upload {
  /** Fields of a form before the file. */
  fields: Readonly<Record<string, string>>;
  /** As the sender wrote it, empty if absent. */
  name: string;
  /** Length of the request, including the other parts of a form. */
  announced: number | undefined;
  /** Throws DomainError if the file breaks off, is too large or is not the only file. */
  chunks: AsyncIterable<Buffer>;
  /** Reads and discards what still arrives, so that the client reads its response. */
  discard: () => void;
}

export interface OpenRequest<B = unknown> {
  /** `:id` of the path, empty if absent. */
  id: string;
  params: Record<string, string>;
  /** Without the question mark, still encoded. */
  querystring: string;
  /** Validated, without unknown fields. A business event is not validated. */
  body: B;
  /** Ignored fields and unknown commands are refused (spec 2.2). */
  isStrict?: boolean;
  /** Empty if absent. */
  ifMatch: string;
  /** Headers of a request for a part of a file, empty if absent. */
  wanted: Record<'range' | 'ifRange' | 'ifNoneMatch', string>;
  /** Present if the route takes a file. */
  openUpload?: (() => Promise<Upload>) | undefined;
  /** ISO 8601 UTC. */
  receivedAt: string;
  ids: IdGenerator;
  client: Client;
  event?: EventSent | undefined;
  /** Returns true if the response has no reader: after a disconnect, and for HEAD. */
  isGone?: (() => boolean) | undefined;
  /** Absent on open routes. */
  principal?: Principal | undefined;
  /** Runs a request of a batch as the caller, and never rejects. Present if the body has lines. */
  runLine?: RunLine;
}

/** A request in a batch (spec 2.11). */
export interface Line {
  /** From 1. */
  number: number;
  method: string;
  path: string;
  body: unknown;
  ifMatch: string;
}

/** Serialized, so that sending cannot fail. */
export interface SerializedResponse {
  status: number;
  once?: readonly string[] | undefined;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
}

export type RunLine = (line: Line) => Promise<SerializedResponse>;

export interface ApiRequest<B = unknown> extends OpenRequest<B> {
  principal: Principal;
}

export type FieldPath = readonly (string | number)[];

/** Without a body the status is 204 or a redirect. */
export interface HandlerResult {
  status: number;
  body?: unknown;
  /** Fields that no repetition gets (spec 2.8). */
  once?: readonly string[];
  headers?: Record<string, string>;
  ignored?: FieldPath[];
  /** ASCII, for `X-Hint` (spec 2.2). */
  hints?: string[];
}

export interface Api {
  config: Readonly<ApiConfig>;
  temporal: Temporal;
  posting: PostingDeps;
  authority: Authority;
  webhooks: ProviderClient & Pick<WebhookClient, 'verifyWebhook' | 'sendWebhook'>;
  streams: Streams;
  files: FileContents;
  expressions: ExpressionPool;
  admissionQueues: Record<'events' | 'expressions' | 'batches' | 'batchLines', FairScheduler>;
  uploads: FairScheduler;
  lists: ListConcurrency;
  log: Logger;
  /** Aborted when the shutdown begins. */
  ending: AbortSignal;
}

export type Handler<B> = (request: ApiRequest<B>, api: Api) => Promise<HandlerResult>;
export type OpenHandler<B> = (request: OpenRequest<B>, api: Api) => Promise<HandlerResult>;

export function assertKnownParameters(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names)
    if (!known.includes(name)) throw invalidRequest(name, 'is not a parameter of this request');
}
