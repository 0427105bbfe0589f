import { describe, expect, test } from 'vitest';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import type { MessageFacts } from '../../domain/messages/message.ts';
import { parseResult, resolveResults } from '../../domain/messages/results.ts';
import type { FormResultInput } from '../../domain/messages/results.ts';
import { stateAfter, agent, conversation, participant, post } from '../support/conversations.ts';

const order = {
  form: 'f1',
  name: 'Order',
  type: 'topic',
  category: 'Sales',
  categoryIndex: 0,
  values: {},
} as const;
const consent = { form: 'f2', name: 'Consent', type: 'static', values: { given: 'yes' } } as const;
const categories = [
  { name: 'Sales', forms: ['f1', 'f2'] },
  { name: 'Support', forms: ['f2'] },
];
const orderFacts = { id: 'f1', name: 'Order', type: 'topic' as const, keys: ['item', 'count'] };

function standing(fields: Partial<ConversationState> = {}): ConversationState {
  return conversation({ participants: [participant(agent)], forms: [order, consent], ...fields });
}

function effectsOf(state: ConversationState, input: Partial<MessageInput>, facts: MessageFacts = {}) {
  return post(state, agent, input, { facts }).changes.flatMap((change) =>
    change.kind === 'processed' ? change.effects : [],
  );
}

function refusalOf(state: ConversationState, input: Partial<MessageInput>, facts: MessageFacts = {}) {
  return expect(() => post(state, agent, input, { facts }));
}

const unprocessable = expect.objectContaining({ code: 'unprocessable' }) as Error;

describe('a field message', () => {
  test.each([
    [
      '.email Jane@Example.com',
      { field: 'email', value: 'jane@example.com' },
      { contactValue: 'jane@example.com' },
    ],
    ['.name Jane  Doe ', { field: 'name', value: 'Jane  Doe' }, {}],
    ['.address.street Main 1', { field: 'address.street', value: 'Main 1' }, {}],
    ['.locale', { field: 'locale', value: null }, {}],
  ])('the field message %s sets or clears a field of the profile of the contact', (text, effect, facts) => {
    expect(effectsOf(standing(), { type: 'field', text }, facts)).toEqual([{ kind: 'contact', ...effect }]);
  });

  test('a field message sets meta of the conversation if the profile has no such field', () => {
    expect(stateAfter(standing(), agent, { type: 'field', text: '.plan pro' }).meta).toEqual({ plan: 'pro' });
    expect(
      stateAfter(standing({ meta: { plan: 'pro' } }), agent, { type: 'field', text: '.plan' }).meta,
    ).toEqual({});
  });

  test.each(['f1', 'Order'])(
    'a field message sets a value of the form whose id or name is in meta.form: %s',
    (form) => {
      const input = { type: 'field' as const, text: '.item 2 pears', meta: { form } };
      const state = stateAfter(standing(), agent, input, { facts: { form: orderFacts } });
      expect(state.forms).toEqual([{ ...order, values: { item: '2 pears' } }, consent]);
      expect(stateAfter(state, agent, { ...input, text: '.item' }).forms).toEqual([order, consent]);
    },
  );

  test('a field message sets an email of the form, not of the profile, if meta.form names a form', () => {
    const state = stateAfter(standing(), agent, {
      type: 'field',
      text: '.email a@b.c',
      meta: { form: 'f2' },
    });
    expect(state.forms[1]?.values).toEqual({ given: 'yes', email: 'a@b.c' });
  });

  test.each([
    [{ text: 'plan pro' }],
    [{ text: '.' }],
    [{ text: '. plan' }],
    [{ text: '.address. x' }],
    [{ text: '.item x', meta: { form: 'f9' } }],
    [{ text: '.item x', meta: { form: 7 } }],
    [{ text: '.color red', meta: { form: 'f1' } }],
  ])('a field message is rejected: %j', (input) => {
    refusalOf(standing(), { type: 'field', ...input }, { form: orderFacts }).toThrow(unprocessable);
  });

  test.each([
    { text: '.__proto__ x' },
    { text: '.a.b x' },
    { text: '.address.constructor x' },
    { text: '.address.a.b x' },
    { text: '.prototype x', meta: { form: 'f2' } },
  ])('a field message is rejected because of the key in %j', (input) => {
    refusalOf(standing(), { type: 'field', ...input }).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  test('a field message for the profile is rejected in a conversation without a contact', () => {
    const { contact: _, ...nobody } = standing();
    refusalOf(nobody, { type: 'field', text: '.name Jane' }).toThrow(unprocessable);
  });
});

describe('a form message', () => {
  const facts = { form: orderFacts, categories };

  test.each([
    ['the current category', { category: 'Sales', categoryIndex: 0 }, undefined],
    ['meta.category', { category: 'Support', categoryIndex: 1 }, { category: 'Sales' }],
    ['meta.categoryIndex', {}, { categoryIndex: 0 }],
    ['the current category without index', { category: 'Sales' }, undefined],
    [
      'the current category, whose place in the list has changed',
      { category: 'Sales', categoryIndex: 1 },
      undefined,
    ],
  ])('a form message adds a form that is listed under %s', (_, fields, meta) => {
    const input = { type: 'form' as const, text: '+Order', ...(meta ? { meta } : {}) };
    expect(stateAfter(standing({ forms: [], ...fields }), agent, input, { facts }).forms).toEqual([order]);
  });

  test.each([
    ['if the category does not list the form', { category: 'Support', categoryIndex: 1 }, {}],
    ['if there is no category', {}, {}],
    ['if the category is unknown', {}, { category: 'Nowhere' }],
    ['if the index is unknown', {}, { categoryIndex: 2 }],
    ['if the index is invalid', {}, { categoryIndex: [] }],
  ])('a form message that adds a form is rejected %s', (_, fields, meta) => {
    refusalOf(standing({ forms: [], ...fields }), { type: 'form', text: '+Order', meta }, facts).toThrow(
      unprocessable,
    );
  });

  test('a form message that adds an open form again keeps the values of the form', () => {
    const open = { ...order, values: { item: 'pears' } };
    expect(
      stateAfter(
        standing({ forms: [open], categoryIndex: 0 }),
        agent,
        { type: 'form', text: '+Order' },
        { facts },
      ).forms,
    ).toEqual([open]);
  });

  test.each([{ text: '-Order' }, { text: '- f1' }, { text: '-', meta: { form: 'f1' } }])(
    'a form message removes the form with %j',
    (input) => {
      expect(stateAfter(standing(), agent, { type: 'form', ...input }).forms).toEqual([consent]);
    },
  );

  test.each([
    [{ text: '-Consent' }, /static/],
    [{ text: '-Order 2' }, /not open/],
    [{ text: '+Unknown' }, /no form/],
    [{ text: 'Order' }, /form message/],
    [{ text: '+' }, /form message/],
    [{ text: '+', meta: { form: '' } }, /meta\.form/],
  ])('a form message is rejected: %j', (input, words) => {
    refusalOf(standing(), { type: 'form', ...input }).toThrow(unprocessable);
    refusalOf(standing(), { type: 'form', ...input }).toThrow(words);
  });
});

describe('a results message', () => {
  test('a results message removes a completed topic form and keeps a completed static form open without values', () => {
    const results = [{ form: 'f1' }, { form: 'f2', formName: 'Consent 2026' }];
    const { state, changes } = post(standing({ category: 'Support' }), agent, { type: 'results', results });
    expect(state.forms).toEqual([{ ...consent, values: {} }]);
    const listed = changes.flatMap((change) => (change.kind === 'processed' ? change.effects : []));
    expect(listed.flatMap((effect) => (effect.kind === 'result' ? [effect.result] : []))).toEqual([
      { message: changes[0]?.id, form: 'f1', name: 'Order', category: 'Sales', categoryIndex: 0 },
      { message: changes[0]?.id, form: 'f2', name: 'Consent 2026' },
    ]);
  });

  test('a results message completes a form that is not open only if the message gives the name of the form', () => {
    const input = (formName?: string) => ({
      type: 'results' as const,
      results: [{ form: 'f9', ...(formName ? { formName } : {}) }],
    });
    expect(effectsOf(standing({ category: 'Support', categoryIndex: 1 }), input('Survey'))).toMatchObject([
      { kind: 'result', result: { form: 'f9', name: 'Survey', category: 'Support', categoryIndex: 1 } },
    ]);
    refusalOf(standing(), input()).toThrow(/^results\.0: formName/);
  });

  test('a results message without results, or a report with results, completes no form', () => {
    expect(stateAfter(standing(), agent, { type: 'report', results: [{ form: 'f1' }] }).forms).toEqual([
      order,
      consent,
    ]);
    expect(stateAfter(standing(), agent, { type: 'results' }).forms).toEqual([order, consent]);
  });
});

describe('form results', () => {
  const forms = new Map([
    ['f1', { names: ['Order 2', 'Order'], types: ['topic' as const], keys: ['item', 'count'] }],
    ['f2', { names: ['Consent'], types: ['static' as const], keys: [] }],
  ]);
  const held = (result: FormResultInput) =>
    resolveResults([parseResult(result, 'results.0')], { forms, offered: ['"Order 2" (f1)'] });

  test.each([
    ['have only fields of the form', { form: 'f1', formName: 'Order 2', values: { item: 'pears' } }],
    ['give the name that the form was opened with', { form: 'f1', formName: 'Order' }],
    ['have any keys and the form has no fields', { form: 'f2', values: { 'a.b': 1, toString: true } }],
    [
      'contain texts, numbers, true, null and lists of texts',
      { form: 'f2', values: { a: 'x', b: 1.5, c: true, d: null, e: ['x', 'y'], f: [] } },
    ],
    ['have no values', { form: 'f1', formName: null, type: null, values: null }],
  ] satisfies [string, FormResultInput][])(
    'form results are accepted if they %s',
    (_, result: FormResultInput) => {
      const { formName, values } = result;
      expect(held(result)).toMatchObject([
        { form: result.form, ...(formName ? { formName } : {}), ...(values ? { values } : {}) },
      ]);
    },
  );

  test.each([
    [{ form: 'f1', formName: 'An order' }, 'Order 2'],
    [{ form: 'f1', formName: 'Order' }, 'Order'],
    [{ form: 'f2', formName: 'consent' }, 'Consent'],
    [{ form: 'f2', formName: '' }, 'Consent'],
  ])('form results with a name that the form no longer has get its name: %j', (result, formName) => {
    expect(held(result)).toMatchObject([{ formName }]);
  });

  test('form results get the type of their form by default', () => {
    expect([...held({ form: 'f1' }), ...held({ form: 'f2' })].map(({ type }) => type)).toEqual([
      'topic',
      'static',
    ]);
  });

  test.each([
    ['form', { form: 'f9' }, 'there is no form "f9"; there are "Order 2" (f1)'],
    ['form', { form: 'Order 2' }, 'there is no form "Order 2"'],
    ['form', { form: 'constructor' }, 'there is no form "constructor"'],
    ['type', { form: 'f2', type: 'topic' as const }, 'must be the type of the form, static'],
    ['values.size', { form: 'f1', values: { item: 'x', size: 1 } }, 'has no such field; it has item, count'],
    ['values.Item', { form: 'f1', values: { Item: 'x' } }, 'has no such field'],
    ['values.toString', { form: 'f1', values: { toString: 'x' } }, 'has no such field'],
    ['values.a', { form: 'f2', values: { a: {} } }, 'must be a text'],
    ['values.a', { form: 'f2', values: { a: { b: 1 } } }, 'must be a text'],
    ['values.a', { form: 'f2', values: { a: [['x']] } }, 'must be a text'],
    ['values.a', { form: 'f2', values: { a: ['x', 1] } }, 'must be a text'],
    ['values.a', { form: 'f2', values: { a: [null] } }, 'must be a text'],
    ['values.a', { form: 'f2', values: { a: Array.from({ length: 101 }, () => '') } }, 'at most 100 texts'],
    ['values', { form: 'f2', values: { a: 'x'.repeat(24 * 1024) } }, 'must not exceed 24 KiB'],
    ['values', { form: 'f2', values: { a: 'é'.repeat(12 * 1024) } }, 'must not exceed 24 KiB'],
  ])('form results are rejected at %s: %j', (field, result, words) => {
    const path = `results.0.${field}`;
    expect(() => held(result)).toThrow(
      expect.objectContaining({
        code: 'unprocessable',
        message: expect.stringContaining(words),
        details: [expect.objectContaining({ path })],
      }),
    );
  });
});
