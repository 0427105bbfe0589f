import type { components } from './api.ts';

type Schemas = components['schemas'];
type Operations = Schemas['Operations'];

export type Conversation = Schemas['Conversation'];
export type Message = Schemas['Message'];
export type Contact = Schemas['Contact'];
export type User = Schemas['User'];
export type Service = Schemas['Service'];
export type Delivery = Schemas['Delivery'];
export type ApiKey = Schemas['ApiKey'];
export type BusinessEvent = Schemas['BusinessEvent'];
export type EventType = Schemas['EventType'];
export type TimelineMessage = Schemas['TimelineMessage'];

export type BatchLine = Schemas['BatchLine'];
export type BatchResult = Schemas['BatchResult'];

/** Operation of the API by method and path: `POST /messages`. Streams and batches are no calls. */
export type Call = Exclude<keyof Operations, `GET ${string}/stream` | 'POST /batch'>;

/** Every field of a record can be a filter of a list. */
export type Query = Record<string, string | number | boolean | undefined>;

export interface CallOptions {
  query?: Query | undefined;
  headers?: Record<string, string> | undefined;
  /** Key of a POST. Default: a random key. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Body of `POST /files`. A call with a stream is not repeated. */
export type BinaryBody = Operations['POST /files']['body'];

export type Untyped = CallOptions & { path?: Record<string, string>; body?: unknown };

export type Options<C extends keyof Operations> = Omit<CallOptions, keyof Operations[C]> &
  WithFilters<Omit<Operations[C], 'answer'>>;

type WithFilters<T> = T extends { query: infer Q } ? Omit<T, 'query'> & { query: Q & Query } : T;

type ArgumentsOf<O> = Partial<O> extends O ? [options?: O] : [options: O];

export type CallArguments<C extends keyof Operations> = ArgumentsOf<WithBody<C, 'one'>>;

export type ListArguments<C extends keyof Operations> = ArgumentsOf<WithBody<C, 'list'>>;

type WithBody<C extends keyof Operations, K extends 'one' | 'list'> =
  Options<C> extends { body: infer B }
    ? Omit<Options<C>, 'body'> & { body: Sendable<Select<B, K>> }
    : Options<C>;

/** Accepts undefined for an absent field, because JSON leaves out such fields. */
type Sendable<T> = T extends readonly unknown[] | BinaryBody
  ? T
  : T extends object
    ? { [K in keyof T]: Sendable<T[K]> | (Partial<Pick<T, K>> extends Pick<T, K> ? undefined : never) }
    : T;

type Select<T, K extends 'one' | 'list'> = K extends 'list'
  ? Extract<T, readonly unknown[]>
  : Exclude<T, readonly unknown[]>;

export type ListBodyCall = {
  [C in Call]: Operations[C] extends { body: infer B }
    ? [Extract<B, readonly unknown[]>] extends [never]
      ? never
      : C
    : never;
}[Call];

type AnswerOf<C extends keyof Operations> = Operations[C] extends { answer: infer A } ? A : undefined;

/** The body of the response: a list for a list, if the operation takes both. */
export type AnswerTo<C extends keyof Operations, K extends 'one' | 'list' = 'one'> = C extends ListBodyCall
  ? Select<AnswerOf<C>, K>
  : AnswerOf<C>;

export interface CallResponse<A> {
  status: number;
  headers: Headers;
  body: A;
}

/** A call with one record as body, or with a list if the operation takes one. */
export interface Caller {
  <C extends Call>(call: C, ...given: CallArguments<C>): Promise<AnswerTo<C>>;
  <C extends ListBodyCall>(call: C, ...given: ListArguments<C>): Promise<AnswerTo<C, 'list'>>;
}

/** As `Caller`, with status and headers. */
export interface ResponseCaller {
  <C extends Call>(call: C, ...given: CallArguments<C>): Promise<CallResponse<AnswerTo<C>>>;
  <C extends ListBodyCall>(call: C, ...given: ListArguments<C>): Promise<CallResponse<AnswerTo<C, 'list'>>>;
}

type Events = Schemas['EventOperations'];
type Operation<R extends keyof Events = keyof Events> = Events[R] | '*';
type ConversationWord = Conversation['type'] | '*';
type MessageWord = Message['type'] | '*';
type RoleWord = 'contact' | 'agent' | 'bot' | 'system' | '*';

/** Pattern of events (spec 7.4). A shorter pattern is a prefix. */
export type EventPattern =
  | keyof Events
  | '*'
  | { [R in keyof Events]: `${R}.${Operation<R>}` }[keyof Events]
  | `*.${Operation}`
  | `${'conversation' | 'message' | '*'}.${Operation<'message'>}.${ConversationWord}`
  | `${'message' | '*'}.${Operation<'message'>}.${ConversationWord}.${MessageWord}`
  | `${'message' | '*'}.${Operation<'message'>}.${ConversationWord}.${MessageWord}.${RoleWord}`;

export type ListCall = {
  [C in Call]: C extends `GET ${string}/apikeys`
    ? never
    : AnswerOf<C> extends readonly { id: string }[]
      ? C
      : never;
}[Call];

export type RecordOf<C extends ListCall> = AnswerOf<C> extends readonly (infer R)[] ? R : never;

export type MessageInput = Exclude<
  Operations['POST /conversations/{id}/messages']['body'],
  readonly unknown[]
>;
