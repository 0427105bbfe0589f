import type { Scope } from './scope.ts';

/** What the API has records of: the first word of their paths. */
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

/** The requests that records are read and changed by: the columns of spec 4.2. */
export type Operation = 'list' | 'fetch' | 'create' | 'update' | 'remove';

/**
 * What becomes of a record when the one that it refers to is removed (spec 4.5):
 * - `restrict`: nothing is removed as long as there is such a record.
 * - `cascade`: the record is removed as well.
 * - `pull`: the reference is taken out of the record's list.
 * - `disable`: the record stays, and does nothing any more.
 * - `keep`: the record stays as it is, with an id that names nothing.
 * - `derived`: nothing is stored; the reference is found when the record is shown.
 */
export type OnDelete = 'restrict' | 'cascade' | 'pull' | 'disable' | 'keep' | 'derived';

/** A field that holds the id of a record, or a list of such ids. */
export interface Reference {
  to: ResourceName;
  onDelete: OnDelete;
}

/** A row of the table below. */
export interface ResourceRow {
  /** One record in words, as in "The knowledge item"; several have an "s" more. */
  noun: string;
  /** The lowest scope that each request is let in with; one that is not named is not there. */
  scopes: { list: Scope; fetch: Scope } & Partial<Record<Operation, Scope>>;
  /** The scope that suffices to fetch and update the caller's own record. */
  self?: Scope;
  /** What scopes below those that may read the records see of them in others (spec 9.6). */
  brief?: { scope: Scope; fields: readonly string[] };
  /** Its records show a secret: no answer with one is kept on the way (spec 2.8). */
  secret?: true;
  /** How its events are called; without it there are none (spec 7.4). */
  event?: {
    name: string;
    /** The object's type in ActivityStreams 2; `Object` for what the vocabulary does not have. */
    activityType: string;
    /** Operations besides create, update and delete. */
    also?: readonly string[];
    /** The workflow of its conversation tells of it, not the request. */
    inConversation?: true;
  };
  /** By dotted path. */
  references: Readonly<Record<string, Reference>>;
}

const restrict = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'restrict' }) as const;
const cascade = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'cascade' }) as const;
const pull = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'pull' }) as const;
const disable = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'disable' }) as const;
const keep = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'keep' }) as const;
const derived = <const N extends ResourceName>(to: N) => ({ to, onDelete: 'derived' }) as const;

/** Of records that are only of use to the organization itself. */
const OF_ORGANIZATION = { organization: cascade('organizations'), createdBy: keep('users') } as const;

/**
 * Every resource, in the order in which refusals name them: who may do what (spec 4.2), its events
 * (spec 7.4), what its records refer to, and what a removal does (spec 4.5). Routes, listing, event
 * patterns, activities and removal follow from it; what each needs besides is asked for by type.
 */
export const RESOURCES = {
  messages: {
    noun: 'message',
    scopes: { list: 'bot', fetch: 'bot', create: 'guest', update: 'bot', remove: 'admin' },
    event: { name: 'message', activityType: 'Note', inConversation: true },
    references: {
      // No organization goes before its conversations.
      organization: keep('organizations'),
      contact: keep('contacts'),
      conversation: cascade('conversations'),
      user: keep('users'),
      service: keep('services'),
      'results.form': keep('forms'),
      createdBy: keep('users'),
    },
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
      'participants.user': keep('users'),
      'participants.organization': keep('organizations'),
      'forms.form': keep('forms'),
      'results.form': keep('forms'),
      'results.message': keep('messages'),
      createdBy: keep('users'),
    },
  },
  contacts: {
    noun: 'contact',
    scopes: { list: 'agent', fetch: 'bot', create: 'bot', update: 'bot', remove: 'admin' },
    event: { name: 'contact', activityType: 'Person' },
    references: {
      organization: restrict('organizations'),
      conversation: cascade('conversations'),
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
    event: { name: 'eventtype', activityType: 'Object' },
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

/** The row of a resource, as far as every row has it. */
export function resourceRow(name: ResourceName): ResourceRow {
  return RESOURCES[name];
}

/** The names, in the order of the table. */
export function resourceNames(): ResourceName[] {
  return Object.keys(RESOURCES) as ResourceName[];
}

type EventsOf<N extends ResourceName> = ResourceTable[N] extends { event: { name: infer E } } ? E : never;

/** The first words of events (spec 7.4). */
export type EventResource = { [N in ResourceName]: EventsOf<N> }[ResourceName];

/** Of events that the request tells of which has caused them. */
export type AnnouncedResource = {
  [N in ResourceName]: ResourceTable[N] extends { event: { inConversation: true } } ? never : EventsOf<N>;
}[ResourceName];

/** Resources whose records are made, changed and removed by requests of their own (spec 4.2). */
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

/** The references to a resource of which a removal makes this: `resource.field`. */
export type ReferenceTo<N extends ResourceName, D extends OnDelete> = {
  [R in ResourceName]: FieldsTo<R, N, D>;
}[ResourceName];

/** The field of a reference that is called `resource.field`. */
export function getReferenceField(reference: string): string {
  return reference.slice(reference.indexOf('.') + 1);
}

/** A word with its article, as events and the API's document have it: "an organization". */
export function withArticle(word: string): string {
  return /^[aeio]/.test(word) ? `an ${word}` : `a ${word}`;
}
