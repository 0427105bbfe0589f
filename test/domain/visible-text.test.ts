import { describe, expect, test } from 'vitest';
import { isBlank } from '../../domain/characters.ts';
import { assertVisibleText } from '../../domain/messages/draft.ts';

describe('the text of a message', () => {
  const invisible = [
    ' ',
    '\n\t',
    '\u00a0',
    '\u00ad',
    '\u034f',
    '\u115f',
    '\u180e',
    '\u200b',
    '\u202e',
    '\u2060',
  ];
  test.each([
    ...invisible,
    '\u2800',
    '\u3000',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\u{e0020}',
    '\u0301',
  ])('the text of a message is blank if it consists of %j', (text) => {
    expect(isBlank(text)).toBe(true);
    expect(isBlank(`${text}${text} `)).toBe(true);
    expect(isBlank(`${text}a`)).toBe(false);
  });

  test.each(['.', 'é', 'e\u0301', '東', '한', '👍🏽', '⠁', '❤️', '٣', '<p></p>'])(
    'the text of a message is visible if it is %j',
    (text) => {
      expect(isBlank(text)).toBe(false);
    },
  );

  test.each([
    [{ text: '\u3164' }, 'text'],
    [{ actions: [{ type: 'reply' as const, text: '\u200b', payload: 'x' }] }, 'actions.0.text'],
    [{ items: [{ title: ' ' }] }, 'items.0.title'],
    [
      {
        items: [
          { title: 'a', actions: [{ type: 'link' as const, text: '\u2800', uri: 'https://a.example' }] },
        ],
      },
      'items.0.actions.0.text',
    ],
  ])(
    'the text of a message is rejected if it has no visible character, and the error names the field',
    (message, path) => {
      expect(() => assertVisibleText(message)).toThrow(`${path}: must have a visible character`);
    },
  );

  test.each([
    '<p></p>',
    '&nbsp;',
    '<p>&#160;&#x200b;&zwnj;</p>',
    '<img>',
    '<div><br></div>',
    '<!-- a note -->',
    '<style>p { color: red }</style>',
    '<b>\u3164</b>',
  ])('the text of an HTML message is rejected if it shows nothing: %j', (text) => {
    expect(() => assertVisibleText({ text, contentType: 'text/html' })).toThrow('text: must have a visible');
    expect(() => assertVisibleText({ text: `${text}.`, contentType: 'text/html' })).not.toThrow();
  });

  test.each([
    '<img src="https://a.example/a.png">',
    "<img alt='a cat'>",
    '<hr>',
    '<p>a</p>',
    '1 &lt; 2',
    '&#x41;',
  ])('the text of an HTML message may be %j', (text) => {
    expect(() => assertVisibleText({ text, contentType: 'text/html' })).not.toThrow();
  });
});
