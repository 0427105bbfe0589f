import { describe, expect, test } from 'vitest';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { MESSAGE_TYPES } from '../../domain/messages/message.ts';
import { agent, draft } from '../support/conversations.ts';

function drafted(input: Partial<MessageInput>) {
  return draft(agent, input);
}

describe('message actions', () => {
  const link = { type: 'link', text: 'Go', uri: 'https://example.com' } as const;
  const reply = { type: 'reply', text: 'Yes', payload: 'yes' } as const;
  const location = { type: 'locationRequest', text: 'Where are you?' } as const;
  const postback = { type: 'postback', text: 'Buy', payload: 'buy' } as const;

  test.each([
    [[reply, link], 'actions.1 (link) cannot be combined with actions.0 (reply)'],
    [[link, postback, location], 'actions.2 (locationRequest) cannot be combined with actions.0 (link)'],
    [[reply, location, postback], 'actions.2 (postback) cannot be combined with actions.0 (reply)'],
  ])(
    'message actions that cannot be combined are refused with the positions and types of two of them',
    (actions, message) => {
      expect(() => drafted({ actions })).toThrow(expect.objectContaining({ code: 'unprocessable', message }));
    },
  );

  test('message actions of the types reply and locationRequest combine with each other, and so do link and postback', () => {
    expect(drafted({ actions: [reply, location, reply] }).actions).toHaveLength(3);
    expect(drafted({ actions: [link, postback, link] }).actions).toHaveLength(3);
  });

  test.each([
    [[reply], [link], 'items.0.actions.0 (link) cannot be combined with actions.0 (reply)'],
    [
      [location],
      [postback],
      'items.0.actions.0 (postback) cannot be combined with actions.0 (locationRequest)',
    ],
  ])(
    'the actions of message items are checked together with the actions of the message',
    (actions, ofItem, message) => {
      const items = [{ title: 'None' }, { title: 'Some', actions: ofItem }].reverse();
      expect(() => drafted({ actions, items })).toThrow(
        expect.objectContaining({ code: 'unprocessable', message }),
      );
    },
  );

  test('message items may have actions whose types combine with the types of the message actions', () => {
    const items = [{ title: 'A', actions: [link] }];
    expect(drafted({ actions: [postback], items })).toMatchObject({ actions: [postback], items });
  });

  test('message actions keep only the fields of their type, and a webview gets the default size', () => {
    const actions = [
      { ...link, payload: 'ignored', iconUrl: null },
      { type: 'webview', text: 'Open', uri: 'u', fallback: 'f' },
    ] as const;
    expect(drafted({ actions: [...actions] }).actions).toEqual([
      link,
      { type: 'webview', text: 'Open', size: 'compact', uri: 'u', fallback: 'f' },
    ]);
  });
});

describe('message items', () => {
  const action = { type: 'link', text: 'Go', uri: 'u' } as const;

  test.each(MESSAGE_TYPES.filter((type) => !['chat', 'card', 'postback'].includes(type)))(
    'message items are rejected on a %s message',
    (type) => {
      const text = { command: '/join', field: '.a b', form: '+a' }[type as string] ?? 'x';
      expect(() => drafted({ type, text, items: [{ title: 'A' }] })).toThrow(
        expect.objectContaining({
          code: 'unprocessable',
          details: [expect.objectContaining({ path: 'items' })],
        }),
      );
    },
  );

  test.each([
    [[], 'items.0.actions: an item has 1 to 3 actions'],
    [[action, action, action, action], 'items.0.actions: an item has 1 to 3 actions'],
    [
      [action, { type: 'reply', text: 'Yes', payload: 'y' } as const],
      'items.0.actions.1: reply cannot be an action of an item; link, webview and postback can',
    ],
  ])('message items with the actions %j are rejected', (actions, message) => {
    expect(() => drafted({ items: [{ title: 'A', actions }] })).toThrow(
      expect.objectContaining({ code: 'unprocessable', message }),
    );
  });

  test.each([
    ['https://example.com/cat.PNG?size=1#top', 'image/png'],
    ['https://example.com/cat.jpg', 'image/jpeg'],
    ['https://example.com/prices.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['https://example.com/voice.m4a', 'audio/mp4'],
    ['https://example.com/card.vcf', 'text/vcard'],
    ['https://example.com', undefined],
    ['https://example.png', undefined],
    ['https://example.com/file.constructor', undefined],
  ])('message items with the media address %s get the media type %s', (mediaUrl, mediaType) => {
    expect(drafted({ items: [{ title: 'A', mediaUrl }] }).items?.[0]?.mediaType).toBe(mediaType);
  });

  test('message items keep a given media type and get the size compact by default', () => {
    const item = { title: 'A', mediaUrl: 'https://example.com/a.png', mediaType: 'image/webp' };
    expect(drafted({ items: [item] }).items).toEqual([{ ...item, size: 'compact' }]);
  });
});
