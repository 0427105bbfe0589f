import type { EventData, EventRecord, EventActor } from './event-record.ts';
import { RESOURCES, withArticle } from '../resources.ts';

/** Body of a webhook (spec 7.6). */
export interface Envelope {
  id: string;
  event: string;
  timestamp: string;
  organization: string;
  sequence: number;
  /** The event is an example (spec 7.11). */
  test?: true;
  activity: ActivityStream;
  data: EventData;
}

export function envelope(event: EventRecord): Envelope {
  const data = event.data();
  return {
    id: event.id,
    event: event.name,
    timestamp: event.timestamp,
    organization: event.organization,
    sequence: event.sequence,
    ...(event.test && { test: event.test }),
    activity: toActivityStream(event, data),
    data,
  };
}

interface ActivityStream {
  '@context': 'https://www.w3.org/ns/activitystreams';
  type: string;
  actor: { type: string; id: string };
  object: Record<string, unknown>;
  published: string;
  summary: string;
}

/** By operation, or by event name. `alone`: the actor is also the object. */
const ACTIVITY_TYPES: Record<string, { type: string; done: string; alone?: true }> = {
  create: { type: 'Create', done: 'created' },
  update: { type: 'Update', done: 'updated' },
  delete: { type: 'Delete', done: 'deleted' },
  receipt: { type: 'Update', done: 'reported the delivery of' },
  login: { type: 'Arrive', done: 'logged in', alone: true },
  error: { type: 'Flag', done: 'failed', alone: true },
  'eventtype.error': { type: 'Flag', done: 'sent an event that failed', alone: true },
};

const OBJECTS: Record<string, { path: string; type: string }> = Object.fromEntries(
  Object.entries(RESOURCES).flatMap(([path, row]) =>
    'event' in row ? [[row.event.name, { path, type: row.event.activityType }]] : [],
  ),
);

const ACTORS: Record<EventActor['kind'], { type: string; path: string; word: string }> = {
  user: { type: 'Person', path: 'users', word: 'A user' },
  bot: { type: 'Application', path: 'users', word: 'A bot' },
  contact: { type: 'Person', path: 'contacts', word: 'The contact' },
  service: { type: 'Service', path: 'services', word: 'A service' },
};

/** Returns an activity whose ids are URLs of this API (spec 7.6). */
export function toActivityStream(
  { name, timestamp, actor, publicUrl }: Pick<EventRecord, 'name' | 'timestamp' | 'actor' | 'publicUrl'>,
  data: EventData,
): ActivityStream {
  const [resource = '', operation = ''] = name.split('.');
  const { type, done, alone } = ACTIVITY_TYPES[name] ??
    ACTIVITY_TYPES[operation] ?? { type: 'Activity', done: operation };
  const who = ACTORS[actor.kind];
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    type,
    actor: { type: who.type, id: address(publicUrl, who.path, actor.id) },
    object: toActivityObject(resource, data[resource], publicUrl),
    published: timestamp,
    summary: `${who.word} ${done}${alone ? '' : ` ${withArticle(resource)}`}.`,
  };
}

function toActivityObject(resource: string, snapshot: unknown, publicUrl: string): Record<string, unknown> {
  const { path, type } = OBJECTS[resource] ?? { path: `${resource}s`, type: 'Object' };
  const { id, url, name, text, contentType } = (snapshot ?? {}) as Record<string, unknown>;
  const texts = Object.entries({ url, name, content: text, mediaType: contentType }).filter(
    ([, value]) => typeof value === 'string',
  );
  return {
    type,
    id: typeof id === 'string' ? address(publicUrl, path, id) : undefined,
    ...Object.fromEntries(texts),
  };
}

function address(publicUrl: string, path: string, id: string): string {
  return `${publicUrl}/v2/${path}/${id}`;
}

/** Removes a service's secret and the credentials in its URL (spec 7.6). */
export function toEventSnapshot(resource: string, record: Record<string, unknown>): Record<string, unknown> {
  if (resource !== 'service') return record;
  const { url, secret, ...params } = (record['params'] ?? {}) as Record<string, unknown>;
  return {
    ...record,
    params: typeof url === 'string' ? { url: withoutCredentials(url), ...params } : params,
  };
}

function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
