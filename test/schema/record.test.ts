import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { Meta, Name, OwnedBy, Settings, Time, about, text } from '../../schema/kinds.ts';
import {
  answerOnly,
  assigned,
  bodyOnly,
  changeFields,
  declareRecord,
  fillFields,
  internal,
  shownEmpty,
  withDefault,
} from '../../schema/record.ts';
import { bodyCheck } from '../../schema/check.ts';
import { newProfile, upsertProfile } from '../../schema/conversation-body.ts';

const record = declareRecord({
  resource: 'users',
  title: 'Sample',
  description: 'A sample.',
  fields: {
    name: about(Name, 'The name.', 'Ada'),
    organization: OwnedBy,
    email: assigned(about(text({ max: 320 }), 'The email.', 'ada@example.com')),
    avatar: Type.Optional(about(text({ max: 2048 }), 'A picture.')),
    password: bodyOnly(Type.Optional(about(text({ max: 200 }), 'The password.'))),
    tags: withDefault(Type.Array(Name, { maxItems: 10 }), []),
    settings: shownEmpty(Settings),
    meta: withDefault(Meta, {}),
    status: answerOnly(about(Type.String(), 'The status.')),
    secret: internal(Type.Optional(Type.String())),
    seenAt: answerOnly(Type.Optional(Time)),
  },
});

const WRITABLE = ['name', 'organization', 'email', 'avatar', 'password', 'tags', 'settings', 'meta'];

describe('a declared record', () => {
  test('a declared record accepts only fields that callers may set', () => {
    expect(Object.keys(record.input.properties)).toEqual(WRITABLE);
    expect(Object.keys((record.patch as unknown as { properties: object }).properties)).toEqual(WRITABLE);
  });

  test('a declared record requires only fields that are not optional and get no value from the product', () => {
    expect(record.input.required).toEqual(['name']);
  });

  test('null clears optional fields of a declared record, but is rejected for required fields and the organization', () => {
    const check = bodyCheck(record.patch, 'patch');
    const cleared = { email: null, avatar: null, tags: null, meta: null };
    expect(check(cleared)).toEqual(cleared);
    expect(() => check({ name: null })).toThrow('name: must be a text');
    expect(() => check({ organization: null })).toThrow('organization: must be a text');
  });

  test('the response of a declared record has the id, the organization, the fields and the times, and the schemas of its fields have no length limits', () => {
    const { properties, required } = record.answer;
    const shown = ['name', 'email', 'avatar', 'tags', 'settings', 'meta', 'status', 'seenAt'];
    const times = ['createdBy', 'createdAt', 'updatedAt'];
    expect(Object.keys(properties)).toEqual(['id', 'organization', ...shown, ...times]);
    const always = ['name', 'email', 'tags', 'settings', 'meta', 'status'];
    expect(required).toEqual(['id', 'organization', ...always, 'createdAt', 'updatedAt']);
    expect(properties['name']).toEqual({ type: 'string', description: 'The name.', examples: ['Ada'] });
    expect(properties['tags']).toEqual({ type: 'array', items: { type: 'string' } });
  });

  test('the response of a declared record never contains a password, an internal field or an undeclared field', () => {
    const document = {
      _id: '1',
      organization: '2',
      name: 'Ada',
      secret: 's',
      password: 'p',
      other: 'o',
      seenAt: new Date(0),
    };
    expect(record.present(document)).toEqual({
      id: '1',
      organization: '2',
      name: 'Ada',
      tags: [],
      settings: {},
      meta: {},
      seenAt: '1970-01-01T00:00:00.000Z',
    });
  });

  test('a new record is stored with the sent values and the defaults', () => {
    const body = { name: 'Ada', organization: '2', password: 'p', status: 'forged', secret: 'forged' };
    expect(fillFields(record.fields, body)).toEqual({ name: 'Ada', tags: [], meta: {} });
  });

  test('a change of a record stores the sent fields and restores the default of a cleared field', () => {
    const body = { avatar: null, tags: null, meta: { a: 1 }, settings: null, secret: 'forged' };
    expect(changeFields(record.fields, body)).toEqual({
      avatar: null,
      tags: [],
      meta: { a: 1 },
      settings: null,
    });
  });
});

test('an empty part of an address that a CRM sends as null counts as absent', () => {
  for (const profile of [newProfile, upsertProfile]) {
    const check = bodyCheck(profile, 'whole');
    const address = { street: null, city: 'Delft', region: '' };
    expect(check({ name: null, address })).toEqual({ address: { city: 'Delft', region: '' } });
    expect(() => check({ address: { street: 5 } })).toThrow(/address.*street/);
  }
});
