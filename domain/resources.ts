import type { Scope } from './scope.ts';

/** Resources by the first segment of their paths. */
export type ResourceName =
  | 'messages'
  | 'conversations'
  | 'contacts'
  | 'users'
  | 'organizations'
  | 'orggroups'
  | 'forms'
  | 'channels'
  | 'services'
  | 'eventtypes'
  | 'kbitems'
  | 'deliveries'
  | 'events';

/** The operations in the table in spec 4.2, where `remove` is called "delete". */
export type Operation = 'list' | 'fetch' | 'create' | 'update' | 'remove';

/**
 * Effect on a record when the record it refers to is removed (spec 4.5): the removal is refused
 * (`restrict`), the record is removed (`cascade`), its list loses the id (`pull`), it becomes
 * inactive (`disable`), it keeps the id (`keep`). A `derived` reference is computed on read.
 */
export type OnDelete = 'restrict' | 'cascade' | 'pull' | 'disable' | 'keep' | 'derived';

export interface Reference {
  to: ResourceName;
  onDelete: OnDelete;
}

export interface ResourceRow {
  /** Singular, as in "The knowledge item". The plural adds "s". */
  noun: string;
  /** The lowest scope that may perform each operation. */
  scopes: { list: Scope; fetch: Scope } & Partial<Record<Operation, Scope>>;
  /** Scope that suffices to fetch and update the caller's own record. */
  self?: Scope;
  /** Fields that a lower scope may read (spec 9.6). */
  brief?: { scope: Scope; fields: readonly string[] };
  /** Responses must not be cached (spec 2.6). */
  secret?: true;
  /** Absent: no events (spec 7.4). */
  event?: {
    name: string;
    /** ActivityStreams 2. */
    activityType: string;
    /** Operations besides create, update and delete. */
    also?: readonly string[];
    /** The conversation's workflow publishes the events. */
    inConversation?: true;
  };
  references: Readonly<Record<string, Reference>>;
  /** Further fields of bodies that name records. `*` stands for any key. */
  names?: Readonly<Record<string, ResourceName>>;
}

const restrict = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'restrict' }) as const;
const cascade = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'cascade' }) as const;
const pull = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'pull' }) as const;
const disable = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'disable' }) as const;
const keep = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'keep' }) as const;
const derived = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'derived' }) as const;

const OF_ORGANIZATION = { organization: cascade('organizations'), createdBy: keep('users') } as const;

/**
 * Scopes (spec 4.2), events (spec 7.4), references (spec 4.5). Error messages list resources in
 * this order.
 */
export const RESOURCES = {
  messages: {
    noun: 'message',
    scopes: { list: 'bot', fetch: 'bot', create: 'guest', update: 'bot', remove: 'admin' },
    event: { name: 'message', activityType: 'Note', inConversation: true, also: ['receipt'] },
    references: {
      // No organization is removed before its conversations.
      organization: keep('organizations'),
      contact: keep('contacts'),
      conversation: cascade('conversations'),
      user: keep('users'),
      service: keep('services'),
      'delivery.service': keep('services'),
      'results.form': keep('forms'),
      createdBy: keep('users'),
    },
    names: { 'meta.targetUser': 'users', 'meta.targetBot': 'users' },
  },
  conversations: {
    noun: 'conversation',
    scopes: { list: 'agent', fetch: 'guest', create: 'agent', update: 'admin', remove: 'admin' },
    event: { name: 'conversation', activityType: 'Collection', inConversation: true },
    references: {
      organization: restrict('organizations'),
      contact: cascade('contacts'),
      messages: derived('messages'),
      channels: keep('channels'),
      channelsOffline: keep('channels'),
      team: keep('channels'),
      'participants.user': keep('users'),
      'participants.organization': keep('organizations'),
      'forms.form': keep('forms'),
      'results.form': keep('forms'),
      'results.message': keep('messages'),
      'lastMessage.id': keep('messages'),
      'lastMessage.user': keep('users'),
      createdBy: keep('users'),
    },
    names: { 'touchpoints.*.services': 'services' },
  },
  contacts: {
    noun: 'contact',
    scopes: { list: 'agent', fetch: 'bot', create: 'bot', update: 'bot', remove: 'admin' },
    event: { name: 'contact', activityType: 'Person' },
    references: {
      organization: restrict('organizations'),
      conversation: cascade('conversations'),
      'identities.service': keep('services'),
      'notes.user': keep('users'),
      createdBy: keep('users'),
    },
  },
  users: {
    noun: 'user',
    scopes: { list: 'bot', fetch: 'bot', create: 'admin', update: 'admin', remove: 'admin' },
    self: 'guest',
    brief: { scope: 'agent', fields: ['id', 'name', 'avatar', 'status'] },
    event: { name: 'user', activityType: 'Person', also: ['login'] },
    references: { organization: restrict('organizations'), createdBy: keep('users') },
  },
  organizations: {
    noun: 'organization',
    scopes: { list: 'bot', fetch: 'bot', create: 'admin', update: 'admin', remove: 'admin' },
    event: { name: 'organization', activityType: 'Organization' },
    references: {
      parent: restrict('organizations'),
      'categories.forms': pull('forms'),
      ratingForm: keep('forms'),
      'timers.user': keep('users'),
      createdBy: keep('users'),
    },
  },
  orggroups: {
    noun: 'organization group',
    scopes: { list: 'bot', fetch: 'bot', create: 'admin', update: 'admin', remove: 'admin' },
    event: { name: 'orggroup', activityType: 'Group' },
    references: { ...OF_ORGANIZATION, organizations: pull('organizations') },
  },
  forms: {
    noun: 'form',
    scopes: { list: 'bot', fetch: 'admin', create: 'bot', update: 'bot', remove: 'admin' },
    event: { name: 'form', activityType: 'Object' },
    references: OF_ORGANIZATION,
  },
  channels: {
    noun: 'channel',
    scopes: { list: 'bot', fetch: 'bot', create: 'admin', update: 'admin', remove: 'admin' },
    brief: { scope: 'agent', fields: ['id', 'name'] },
    event: { name: 'channel', activityType: 'Object' },
    references: { ...OF_ORGANIZATION, 'members.user': pull('users') },
  },
  services: {
    noun: 'service',
    scopes: { list: 'admin', fetch: 'admin', create: 'admin', update: 'admin', remove: 'admin' },
    secret: true,
    event: { name: 'service', activityType: 'Service', also: ['error'] },
    references: { ...OF_ORGANIZATION, user: disable('users') },
  },
  eventtypes: {
    noun: 'event type',
    scopes: { list: 'admin', fetch: 'admin', create: 'admin', update: 'admin', remove: 'admin' },
    event: { name: 'eventtype', activityType: 'Object', also: ['error'] },
    references: OF_ORGANIZATION,
  },
  kbitems: {
    noun: 'knowledge item',
    scopes: { list: 'agent', fetch: 'agent', create: 'agent', update: 'agent', remove: 'bot' },
    event: { name: 'kbitem', activityType: 'Article' },
    references: OF_ORGANIZATION,
  },
  deliveries: {
    noun: 'delivery',
    scopes: { list: 'admin', fetch: 'admin' },
    references: {
      organization: keep('organizations'),
      service: keep('services'),
      conversation: cascade('conversations'),
    },
  },
  events: {
    noun: 'event',
    scopes: { list: 'bot', fetch: 'bot', create: 'bot' },
    references: {
      organization: keep('organizations'),
      eventtype: keep('eventtypes'),
      conversations: cascade('conversations'),
      messages: keep('messages'),
      createdBy: keep('users'),
    },
  },
} as const satisfies Record<ResourceName, ResourceRow>;

type ResourceTable = typeof RESOURCES;

export function resourceRow(name: ResourceName): ResourceRow {
  return RESOURCES[name];
}

export function resourceNames(): ResourceName[] {
  return Object.keys(RESOURCES) as ResourceName[];
}

type EventsOf<N extends ResourceName> = ResourceTable[N] extends { event: { name: infer E } } ? E : never;

export type EventResource = { [N in ResourceName]: EventsOf<N> }[ResourceName];

/** Resources whose events the request itself publishes. */
export type AnnouncedResource = {
  [N in ResourceName]: ResourceTable[N] extends { event: { inConversation: true } } ? never : EventsOf<N>;
}[ResourceName];

/** Resources with all five operations (spec 4.2) whose events the request itself publishes. */
export type RecordResource = {
  [N in ResourceName]: ResourceTable[N] extends {
    scopes: Record<Operation, Scope>;
    event: { name: AnnouncedResource };
  }
    ? N
    : never;
}[ResourceName];

type FieldsTo<R extends ResourceName, N extends ResourceName, D extends OnDelete> = {
  [F in keyof ResourceTable[R]['references'] & string]: ResourceTable[R]['references'][F] extends {
    to: N;
    onDelete: D;
  }
    ? `${R}.${F}`
    : never;
}[keyof ResourceTable[R]['references'] & string];

export type ReferenceTo<N extends ResourceName, D extends OnDelete> = {
  [R in ResourceName]: FieldsTo<R, N, D>;
}[ResourceName];

export interface NamedRecord {
  to: ResourceName;
  id: string;
  path: string;
}

export function collectNamedRecords(name: ResourceName, body: object): NamedRecord[] {
  const { references, names = {} } = resourceRow(name);
  const fields = Object.entries(references).map(([field, { to }]) => [field, to] as const);
  return [...fields, ...Object.entries<ResourceName>(names)].flatMap(([field, to]) =>
    collectTexts(body, field.split('.')).map(([path, id]) => ({ to, id, path })),
  );
}

function collectTexts(value: unknown, fields: readonly string[]): [path: string, text: string][] {
  if (typeof value === 'string') return fields.length === 0 ? [['', value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  const [field, ...deeper] = fields;
  const isList = Array.isArray(value);
  if (!isList && field === undefined) return [];
  return Object.entries(value)
    .filter(([key]) => isList || field === '*' || key === field)
    .flatMap(([key, inner]) =>
      collectTexts(inner, isList ? fields : deeper).map(([path, text]): [string, string] => [
        path === '' ? key : `${key}.${path}`,
        text,
      ]),
    );
}

export function getReferenceField(reference: string): string {
  return reference.slice(reference.indexOf('.') + 1);
}

export function withArticle(word: string): string {
  return /^[aeio]/.test(word) ? `an ${word}` : `a ${word}`;
}
