import { describe, expect, test } from 'vitest';
import { readNumber, renderText } from '../../../domain/channels/render-text.ts';

const LIMITS = { characters: 1_600, media: 10, takesMedia: true };

/** Section 15.9 of the specification. */
describe('a message as texts', () => {
  const render = (message: Parameters<typeof renderText>[0], limits: object = {}) =>
    renderText(message, { ...LIMITS, ...limits });

  test('a plain text is one part', () => {
    expect(render({ text: ' Hello ', contentType: 'text/plain' })).toEqual([{ text: 'Hello', media: [] }]);
  });

  test('quick replies are numbered lines, and links are addresses', () => {
    const actions = [
      { type: 'reply', text: 'Yes', payload: 'y' },
      { type: 'postback', text: 'No', payload: 'n' },
      { type: 'link', text: 'Terms', uri: 'https://example.com/terms' },
      { type: 'locationRequest', text: 'Where are you?' },
    ] as const;
    expect(render({ text: 'Agree?', actions })).toEqual([
      { text: 'Agree?\n1. Yes\n2. No\nTerms: https://example.com/terms', media: [] },
    ]);
  });

  test('items are lines, and their pictures are media', () => {
    const items = [{ title: 'Room', description: 'With a view', mediaUrl: 'https://example.com/room.jpg' }];
    expect(render({ text: 'Choose', items })).toEqual([
      { text: 'Choose\nRoom\nWith a view', media: ['https://example.com/room.jpg'] },
    ]);
  });

  test('the buttons of items and of the message are numbered without a repetition, and a number names one button', () => {
    const book = (payload: string) => [{ type: 'postback', text: 'Book', payload } as const];
    const message = {
      text: 'Choose',
      items: [
        { title: 'Room', actions: book('room') },
        { title: 'Suite', actions: book('suite') },
      ],
      actions: [
        { type: 'link', text: 'Terms', uri: 'https://example.com/terms' } as const,
        { type: 'postback', text: 'Neither', payload: 'none' } as const,
      ],
    };
    expect(render(message)[0]?.text).toBe(
      'Choose\nRoom\n1. Book\nSuite\n2. Book\nTerms: https://example.com/terms\n3. Neither',
    );
    expect(['1', ' 2. ', '3)'].map((reply) => readNumber(reply, message))).toEqual(['room', 'suite', 'none']);
    for (const reply of ['0', '4', '01x', '1 or 2', '', '123']) {
      expect(readNumber(reply, message)).toBeUndefined();
    }
  });

  test('a picture and an uploaded file are media without a text', () => {
    const picture = 'https://example.com/a.png';
    expect(render({ text: picture, contentType: 'image/png' })).toEqual([{ text: '', media: [picture] }]);
    const file = 'https://chat.example.com/f/key';
    const meta = { media: { name: 'a.mp4', type: 'video/mp4', bytes: 1 } };
    expect(render({ text: file, contentType: 'text/url', meta })).toEqual([{ text: '', media: [file] }]);
    expect(render({ text: file, contentType: 'text/url' })).toEqual([{ text: file, media: [] }]);
  });

  test('without media, the address of a picture is the text', () => {
    const picture = 'https://example.com/a.png';
    const parts = render({ text: picture, contentType: 'image/png' }, { takesMedia: false });
    expect(parts).toEqual([{ text: picture, media: [] }]);
  });

  test('HTML becomes lines without tags', () => {
    const text = '<p>Dear <b>Ada</b>,</p>see <a href="https://example.com">this</a><br>Bye &amp; thanks';
    expect(render({ text, contentType: 'text/html' })[0]?.text).toBe(
      'Dear Ada ,\nsee this (https://example.com)\nBye & thanks',
    );
  });

  test('a long text is split at blanks and within no character', () => {
    const words = Array.from({ length: 500 }, (_, at) => `word${at}`).join(' ');
    const parts = render({ text: words }).map(({ text }) => text);
    expect(parts.length).toBe(3);
    expect(parts.join(' ')).toBe(words);
    expect(parts.every((part) => part.length <= 1_600)).toBe(true);
    const faces = '😀'.repeat(1_000);
    const halves = render({ text: faces }, { characters: 999 }).map(({ text }) => text);
    expect(halves.join('')).toBe(faces);
    expect(halves.every((half) => !/[\ud800-\udbff]$|^[\udc00-\udfff]/.test(half))).toBe(true);
  });

  test('more media than one message takes are several parts', () => {
    const items = Array.from({ length: 12 }, (_, at) => ({
      title: '',
      mediaUrl: `https://example.com/${at}`,
    }));
    expect(render({ text: 'Many', items }).map(({ media }) => media.length)).toEqual([10, 2]);
  });

  test('a message without anything to show has no part', () => {
    expect(render({ text: '' })).toEqual([]);
  });
});
