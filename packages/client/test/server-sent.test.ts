import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader } from '../src/stream.ts';

const TEXT = [
  'retry: 1000\n\n',
  'event: message\nid: 3-7\ndata: {"text":"Grüße"}\n\n',
  ': alive\nid: 4-9\n\n',
  'event: typing\r\ndata: a\r\ndata: b\r\n\r\n',
].join('');

const EVENTS = [
  { event: 'message', data: '', id: undefined },
  { event: 'message', data: '{"text":"Grüße"}', id: '3-7' },
  { event: 'message', data: '', id: '4-9' },
  { event: 'typing', data: 'a\nb', id: undefined },
];

test('the event reader returns events, and the position of a heartbeat', () => {
  expect(createEventReader()(TEXT)).toEqual(EVENTS);
});

test('the event reader returns the same events for every split of the text', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: TEXT.length - 1 })), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), TEXT.length];
      const read = createEventReader();
      const heard = places.slice(1).flatMap((end, at) => read(TEXT.slice(places[at], end)));
      expect(heard).toEqual(EVENTS);
    }),
  );
});

test('the event reader discards an event that was cut off', () => {
  expect(createEventReader()('event: message\ndata: {"half')).toEqual([]);
});
