import { describe, expect, test } from 'vitest';
import { draftMessage } from '../../domain/messages/draft.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { fingerprintText, MESSAGE_TYPES } from '../../domain/messages/message.ts';
import type { Scope } from '../../domain/scope.ts';

function drafted(input: Partial<MessageInput>, scope: Scope = 'agent') {
  return draftMessage(
    { text: 'Hello', ...input },
    {
      id: 'm1',
      slug: 's1',
      caller: { user: 'u1', scope },
      now: '2026-03-01T12:00:00.000Z',
      serviceProviders: ['first', 'second'],
    },
  );
}

function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

describe('a message draft', () => {
  test('a message draft has the default of every field of a chat message', () => {
    expect(drafted({})).toEqual({
      id: 'm1',
      slug: 's1',
      text: 'Hello',
      type: 'chat',
      role: 'bot',
      contentType: 'text/plain',
      isBackchannel: true,
      user: 'u1',
      touchpoint: 'web',
      serviceType: 'first',
      createdBy: 'u1',
      createdAt: '2026-03-01T12:00:00.000Z',
    });
  });

  test('a message draft treats null as absent', () => {
    const nulls = {
      type: null,
      role: null,
      user: null,
      delay: null,
      items: null,
      actions: null,
      meta: null,
      externalId: null,
    };
    expect(drafted(nulls)).toEqual(drafted({}));
  });

  test.each([
    [{ role: 'contact' }, false],
    [{ role: 'agent' }, false],
    [{ role: 'bot' }, true],
    [{ role: 'system' }, true],
    [{ meta: { template: 'welcome' } }, false],
    [{ role: 'agent', isBackchannel: true }, true],
    [{ role: 'bot', isBackchannel: false }, false],
    [{ type: 'command', text: '/join' }, true],
  ] as const)('a message draft of %j has isBackchannel %s', (input, expected) => {
    expect(drafted(input).isBackchannel).toBe(expected);
  });

  test('a message draft of a caller with scope guest has role contact', () => {
    expect(drafted({}, 'guest')).toMatchObject({ role: 'contact', isBackchannel: false });
  });

  test.each(MESSAGE_TYPES)('a %s draft has role and contentType only if its type has them', (type) => {
    const { role, contentType } = drafted({ type, role: 'agent', contentType: 'text/html' });
    const exist = ['chat', 'mention', 'postback', 'card'].includes(type);
    expect([role, contentType]).toEqual(exist ? ['agent', 'text/html'] : [undefined, undefined]);
  });
});

describe('message drafts by scope', () => {
  test.each([
    [{ role: 'agent' }, 'guest'],
    [{ type: 'card' }, 'guest'],
    [{ type: 'command', text: '/join' }, 'guest'],
    [{ type: 'field', text: '.a b' }, 'guest'],
    [{ user: 'u2' }, 'guest'],
    [{ user: 'u2' }, 'agent'],
  ] as const)('a message draft with %j is forbidden for scope %s', (input, scope) => {
    expect(() => drafted(input, scope)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  test.each([
    [{ type: 'postback' }, 'guest'],
    [{ user: 'u1' }, 'guest'],
    [{ type: 'command', text: '/join' }, 'agent'],
    [{ user: 'u2' }, 'bot'],
    [{ user: 'u2' }, 'admin'],
  ] as const)('a message draft with %j is allowed for scope %s', (input, scope) => {
    expect(drafted(input, scope)).toMatchObject(input);
  });
});

describe('a message draft with invalid fields', () => {
  test.each([
    ['text', { text: '' }],
    ['text', { text: 'a'.repeat(32_001) }],
    ['delay', { delay: -1 }],
    ['delay', { delay: 1.5 }],
    ['delay', { delay: 34_560_000_001 }],
    ['externalId', { externalId: '' }],
    ['externalId', { externalId: 'é'.repeat(101) }],
    ['touchpoint', { touchpoint: '__proto__' }],
    ['meta', { meta: { 'a.b': 1 } }],
    ['meta', { meta: { $where: 1 } }],
    ['meta', { meta: { nested: [{ constructor: 1 }] } }],
    ['meta', { meta: JSON.parse('{"a":{"__proto__":{"admin":true}}}') as Record<string, unknown> }],
    ['meta', { meta: { prototype: 1 } }],
    ['meta', { meta: { _bsontype: 'ObjectId' } }],
    ['meta', { meta: { 'a\0b': 1 } }],
    ['meta', { meta: { a: 'é'.repeat(8189) } }],
    ['meta', { meta: nested(51) }],
    ['results.0.values', { type: 'results', results: [{ form: 'f', values: { a: { constructor: 1 } } }] }],
    ['actions.0.payload', { actions: [{ type: 'reply', text: 'Yes' }] }],
    ['actions.0.uri', { actions: [{ type: 'link', text: 'Go' }] }],
    [
      'actions.1.fallback',
      {
        actions: [
          { type: 'link', text: 'Go', uri: 'u' },
          { type: 'webview', text: 'Go', uri: 'u' },
        ],
      },
    ],
    ['actions.0.text', { actions: [{ type: 'locationRequest', text: '' }] }],
    ['actions.0.meta.a', { actions: [{ type: 'locationRequest', text: 'Where', meta: { a: [1] } }] }],
    ['items.0.title', { items: [{ title: '' }] }],
  ] satisfies [string, Partial<MessageInput>][])(
    'a message draft is rejected because of an invalid %s: %j',
    (path, input) => {
      expect(() => drafted(input)).toThrow(
        expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
      );
    },
  );

  test('a message draft is accepted exactly at the limits of its fields', () => {
    const input = {
      text: '🙂'.repeat(32_000),
      delay: 34_560_000_000,
      externalId: 'é'.repeat(100),
      meta: { a: 'é'.repeat(8188) },
    };
    expect(drafted(input)).toMatchObject(input);
    expect(drafted({ meta: nested(50) }).meta).toEqual(nested(50));
  });
});

describe('the fingerprint of a message', () => {
  test('the fingerprint of a message does not depend on the order of keys', () => {
    const one = drafted({ actions: [{ type: 'link', text: 'Go', uri: 'u', meta: { a: 1, b: 2 } }] });
    const other = drafted({ actions: [{ meta: { b: 2, a: 1 }, uri: 'u', text: 'Go', type: 'link' }] });
    expect(fingerprintText(one)).toBe(fingerprintText(other));
  });

  test.each([
    { text: 'Other' },
    { type: 'card' },
    { actions: [{ type: 'link', text: 'Go', uri: 'u' }] },
    { items: [{ title: 'A' }] },
  ] satisfies Partial<MessageInput>[])('the fingerprint of a message differs for %j', (input) => {
    expect(fingerprintText(drafted(input))).not.toBe(fingerprintText(drafted({})));
  });

  test('the fingerprint of a message ignores the fields that spec 6.10 excludes', () => {
    expect(fingerprintText(drafted({ meta: { n: 1 }, externalId: 'x' }))).toBe(fingerprintText(drafted({})));
  });
});
