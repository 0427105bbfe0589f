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

/** Operation of the API by method and path: `POST /messages`. */
export type Call = Exclude<keyof Operations, `GET ${string}/stream`>;

/** Every field of a record can be a filter of a list. */
export type Query = Record<string, string | number | boolean | undefined>;

export interface CallOptions {
  query?: Query;
  headers?: Record<string, string>;
  /** Key of a POST. Default: a random key. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export type Untyped = CallOptions & { path?: Record<string, string>; body?: unknown };

export type Options<C extends keyof Operations> = Omit<CallOptions, keyof Operations[C]> &
  WithFilters<Omit<Operations[C], 'answer'>>;

type WithFilters<T> = T extends { query: infer Q } ? Omit<T, 'query'> & { query: Q & Query } : T;

export type CallArguments<C extends keyof Operations> =
  Partial<Options<C>> extends Options<C> ? [options?: Options<C>] : [options: Options<C>];

type AnswerOf<C extends keyof Operations> = Operations[C] extends { answer: infer A } ? A : undefined;

/** If the body is an array, the result is an array. */
export type AnswerTo<C extends keyof Operations, O> = Narrowed<AnswerOf<C>, O>;

type Narrowed<A, O> = [Exclude<A, readonly unknown[]>] extends [never]
  ? A
  : [Extract<A, readonly unknown[]>] extends [never]
    ? A
    : O extends [{ body: readonly unknown[] }]
      ? Extract<A, readonly unknown[]>
      : Exclude<A, readonly unknown[]>;

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
