import { describe, expect, test } from 'vitest';
import { parseResultParts } from '../../application/business-events/result-parts.ts';

const ID = '65f2a1c09b1d8e4f7a3c5d02';
const REPLY = { type: 'reply', text: 'Yes', payload: 'yes' };
const LINK = { type: 'link', text: 'Look', uri: 'https://shop.example/1' };
const RESULT = { form: ID, values: { guests: '2' } };

const parts = (result: unknown) => parseResultParts(JSON.stringify(result));
const messagesIn = async (messages: unknown) =>
  (await parts({ conversation: ID, messages }))[0]?.input.messages;

/** Spec 8.2. */
describe('the result of a business event', () => {
  test.each<[string, object, object]>([
    ['action', { actions: REPLY }, { actions: [REPLY] }],
    ['item', { items: { title: 'Mug' } }, { items: [{ title: 'Mug' }] }],
    [
      'action of an item',
      { items: { title: 'Mug', actions: LINK } },
      { items: [{ title: 'Mug', actions: [LINK] }] },
    ],
    ['form result', { type: 'results', results: RESULT }, { type: 'results', results: [RESULT] }],
    [
      'user of /assign',
      { type: 'command', text: '/assign', meta: { users: ID } },
      { type: 'command', text: '/assign', meta: { users: [ID] } },
    ],
    [
      'channel of /notify',
      { type: 'command', text: '/notify', meta: { channels: ID } },
      { type: 'command', text: '/notify', meta: { channels: [ID] } },
    ],
  ])('the result of a business event may contain a single %s instead of a list', async (_, given, taken) => {
    expect(await messagesIn({ text: 'x', ...given })).toEqual([{ text: 'x', ...taken }]);
    expect(await messagesIn([{ text: 'x', ...given }])).toEqual([{ text: 'x', ...taken }]);
    const profile = { email: 'ada@example.com' };
    const [upsert] = await parts({ contact: { profile }, messages: { text: 'x', ...given } });
    expect(upsert?.input.messages).toEqual([{ text: 'x', ...taken }]);
  });

  test('free-form values in the result of a business event stay unchanged', async () => {
    const meta = { users: ID, tags: 'one' };
    expect(await messagesIn({ text: '/assign', meta })).toEqual([{ text: '/assign', meta }]);
    expect(await messagesIn({ type: 'results', text: 'x', results: [RESULT] })).toEqual([
      { type: 'results', text: 'x', results: [RESULT] },
    ]);
  });

  test.each([
    [null],
    [[]],
    [{ conversation: ID, messages: [] }],
    [{ conversation: ID, messages: null }],
    [{ conversation: ID }],
    [{ messages: [] }],
    [{ contact: { profile: { email: 'ada@example.com' } }, messages: [] }],
    [[{ conversation: ID, messages: [] }]],
  ])('a business event posts nothing if its result is %j', async (result) => {
    expect(await parts(result)).toEqual([]);
  });

  test('a business event whose result is a list posts the other parts if one part has no messages', async () => {
    const result = [
      { conversation: ID, messages: [] },
      { conversation: ID, messages: { text: 'x' } },
    ];
    expect((await parts(result)).map(({ path }) => path)).toEqual(['result.1']);
  });

  test.each<[unknown, string]>([
    [{}, 'result: conversation: needs a conversation or a contact'],
    [{ conversation: ID, mesages: [{ text: 'x' }] }, 'result: messages'],
    [{ conversation: ID, messages: 'x' }, 'result: messages.0'],
    [{ conversation: ID, messages: { text: 'x', actions: 'y' } }, 'result: messages.0.actions.0'],
    [{ conversation: ID, messages: { text: 'x', meta: 'y' } }, 'result: messages.0.meta'],
  ])('the business event result %j is rejected with the path of the fault', async (result, words) => {
    await expect(parts(result)).rejects.toThrow(words);
  });
});
