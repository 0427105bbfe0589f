import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getPopulatableResource } from '../../api/listing/catalog.ts';
import { ROUTES } from '../../api/routes.ts';
import { toActivityStream } from '../../domain/events/envelope.ts';
import { parsePattern } from '../../domain/events/event-pattern.ts';
import { RESOURCES, collectNamedRecords, resourceNames, resourceRow } from '../../domain/resources.ts';
import type { Operation } from '../../domain/resources.ts';

/** The method and path of each operation, relative to the path of its resource. */
const ADDRESSES: Record<Operation, [method: string, path: string]> = {
  list: ['GET', ''],
  fetch: ['GET', '/:id'],
  create: ['POST', ''],
  update: ['PATCH', '/:id'],
  remove: ['DELETE', '/:id'],
};
const OPERATIONS = Object.keys(ADDRESSES) as Operation[];

/** The path of the request that creates an event ends with the name of the event. */
const CREATED_AT: Partial<Record<string, string>> = { events: '/:name' };

function rowOf(name: string, operation: Operation) {
  const [method, below] = ADDRESSES[operation];
  const path = `/${name}${operation === 'create' ? (CREATED_AT[name] ?? below) : below}`;
  return ROUTES.find((row) => row.method === method && row.path === path);
}

/** Covers the parts of the resource table that the compiler cannot check. */
describe.each(resourceNames())('the resource %s', (name) => {
  const { scopes, self, event, references } = resourceRow(name);

  test('a resource has a route with the right scope for exactly the operations that the table permits', () => {
    const rows = OPERATIONS.map((operation) => [operation, rowOf(name, operation)?.scope]);
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(OPERATIONS.map((operation) => [operation, scopes[operation]])),
    );
  });

  test('a resource lets callers fetch and update their own record if the table permits it', () => {
    const own = OPERATIONS.map((operation) => rowOf(name, operation)?.self);
    expect(own).toEqual([undefined, self, undefined, self, undefined]);
  });

  test('a resource has a reference for every id field, and only for fields that exist', () => {
    const { fields } = getPopulatableResource(name);
    expect(Object.keys(references).filter((field) => !fields.has(field))).toEqual([]);
    const ids = [...fields].filter(([field, { kind }]) => kind === 'id' && field !== 'id');
    expect(ids.map(([field]) => field).filter((field) => !(field in references))).toEqual([]);
  });

  test('every event of a resource can be matched by a pattern and is described by an activity', () => {
    if (!event) {
      expect(() => parsePattern(`${name.slice(0, -1)}.create`)).toThrow('word 1');
      return;
    }
    for (const operation of ['create', 'update', 'delete', ...(event.also ?? [])]) {
      expect(parsePattern(`${event.name}.${operation}`)).toBe(`${event.name}.${operation}`);
    }
    const happened = { timestamp: '2026-01-01T00:00:00.000Z', actor: { id: 'u', kind: 'user' as const } };
    const told = { ...happened, name: `${event.name}.create`, publicUrl: 'https://example.com' };
    expect(toActivityStream(told, { [event.name]: { id: 'x' } }).object).toEqual({
      type: event.activityType,
      id: `https://example.com/v2/${name}/x`,
    });
  });

  test('a resource publishes an event for each create, update and delete request, unless the conversation publishes that event', () => {
    const changes = { create: 'create', update: 'update', remove: 'delete' } as const;
    const told = Object.entries(changes).map(([operation, change]) => [
      rowOf(name, operation as Operation)?.announces,
      event && !event.inConversation ? `${event.name}.${change}` : undefined,
    ]);
    // Removing a contact removes its conversation. The conversation publishes the events of both
    // removals.
    const [announced, expected] = [told.map(([one]) => one), told.map(([, one]) => one)];
    expect(announced).toEqual(name === 'contacts' ? [...expected.slice(0, 2), undefined] : expected);
  });
});

test('the records that a body names are collected from lists and objects, with their paths', () => {
  const body = {
    name: 'x',
    channels: ['c1', 'c2'],
    participants: [{ user: 'u1' }, {}],
    touchpoints: { web: { services: ['s1'] }, sms: null },
    forms: null,
    contact: { profile: {} },
  };
  expect(collectNamedRecords('conversations', body)).toEqual([
    { to: 'channels', id: 'c1', path: 'channels.0' },
    { to: 'channels', id: 'c2', path: 'channels.1' },
    { to: 'users', id: 'u1', path: 'participants.0.user' },
    { to: 'services', id: 's1', path: 'touchpoints.web.services.0' },
  ]);
  const mention = { service: 's1', meta: { targetUser: ['u1', 7], targetBot: 'b1', user: 'u2' } };
  expect(collectNamedRecords('messages', mention).map(({ path }) => path)).toEqual([
    'service',
    'meta.targetUser.0',
    'meta.targetBot',
  ]);
});

test('the event names of resources are unique', () => {
  const events = Object.values(RESOURCES).flatMap((row) => ('event' in row ? [row.event.name] : []));
  expect(new Set(events).size).toBe(events.length);
});

/** The file that implements each kind of removal in the table. */
const REMOVALS: Record<string, string> = {
  'organizations restrict': 'store/records/organization-contents.ts',
  'organizations cascade': 'store/records/organization-contents.ts',
  'organizations pull': 'store/records/organization-contents.ts',
  'users pull': 'api/resources/users/remove.ts',
  'users disable': 'api/resources/users/remove.ts',
  'forms pull': 'api/resources/forms/forms.ts',
  'conversations cascade': 'store/conversations/erase-conversation.ts',
  // Conversation and contact are removed together: removing the contact erases the conversation.
  'contacts cascade': 'api/resources/contacts/remove.ts',
};

test('every kind of removal in the table is implemented by an existing file', () => {
  const wanted = resourceNames()
    .flatMap((name) => Object.values(resourceRow(name).references))
    .filter(({ onDelete }) => !['keep', 'derived'].includes(onDelete))
    .map(({ to, onDelete }) => `${to} ${onDelete}`);
  expect([...new Set(wanted)].sort()).toEqual(Object.keys(REMOVALS).sort());
  expect(Object.values(REMOVALS).filter((path) => !existsSync(path))).toEqual([]);
});
