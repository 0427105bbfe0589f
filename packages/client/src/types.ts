import type { components } from './api.ts';

type Schemas = components['schemas'];
type Operations = Schemas['Operations'];

export type Conversation = Schemas['Conversation'];
export type Message = Schemas['Message'];
export type Contact = Schemas['Contact'];
export type User = Schemas['User'];
export type Service = Schemas['Service'];
export type Delivery = Schemas['Delivery'];

/** An operation of the API by its method and path: `POST /messages`. */
export type Call = Exclude<keyof Operations, 'GET /conversations/{id}/stream'>;

/** Filters, sorting and pages of a list: every field of a record may be named. */
export type Query = Record<string, string | number | boolean | undefined>;

/** What may go with every call. */
export interface CallOptions {
  query?: Query;
  headers?: Record<string, string>;
  /** Names a POST that creates: the same key does it once. Without one the client makes its own. */
  idempotencyKey?: string;
  /** Ends the call, its waits and its retries. */
  signal?: AbortSignal;
}

/** Options as they are without their types. */
export type Untyped = CallOptions & { path?: Record<string, string>; body?: unknown };

/** What a call is given: its path's variables, required parameters and body. */
export type Options<C extends keyof Operations> = Omit<CallOptions, keyof Operations[C]> &
  WithFilters<Omit<Operations[C], 'answer'>>;

type WithFilters<T> = T extends { query: infer Q } ? Omit<T, 'query'> & { query: Q & Query } : T;

/** Options may be left out where none of them is required. */
export type CallArguments<C extends keyof Operations> =
  Partial<Options<C>> extends Options<C> ? [options?: Options<C>] : [options: Options<C>];

type AnswerOf<C extends keyof Operations> = Operations[C] extends { answer: infer A } ? A : undefined;

/** A call that takes one body or a list of them answers a list to a list. */
export type AnswerTo<C extends keyof Operations, O> = Narrowed<AnswerOf<C>, O>;

type Narrowed<A, O> = [Exclude<A, readonly unknown[]>] extends [never]
  ? A
  : [Extract<A, readonly unknown[]>] extends [never]
    ? A
    : O extends [{ body: readonly unknown[] }]
      ? Extract<A, readonly unknown[]>
      : Exclude<A, readonly unknown[]>;

/** The calls that answer a list of records. */
export type ListCall = {
  [C in Call]: C extends `GET ${string}/apikeys`
    ? never
    : AnswerOf<C> extends readonly { id: string }[]
      ? C
      : never;
}[Call];

export type RecordOf<C extends ListCall> = AnswerOf<C> extends readonly (infer R)[] ? R : never;

/** A message as it is posted. */
export type MessageInput = Exclude<
  Operations['POST /conversations/{id}/messages']['body'],
  readonly unknown[]
>;
