import { expect, test } from 'vitest';
import { viewerMessage } from '../../domain/messages/chat-page-message.ts';
import { renderEntry, renderTranscript } from '../../domain/messages/transcript.ts';
import type { MessageView } from '../../domain/events/view.ts';

const names = { organization: 'Acme Bikes', contact: 'Ada' };
const AT = '2026-11-28T09:12:34.567Z';

const entryOf = (message: Partial<MessageView>, author?: { name: string }) => {
  const view = { id: 'm1', slug: 's', type: 'chat', text: '', createdAt: AT, ...message } as MessageView;
  const shown = viewerMessage(view, author);
  return shown && renderEntry(shown, names);
};

/** Spec 6.13 */
test.each<[string, Partial<MessageView>, { name: string } | undefined, string | null]>([
  ['a message of the contact', { role: 'contact', text: 'Hello' }, undefined, 'Ada\nHello'],
  ['a reply', { role: 'agent', text: 'Good\nmorning' }, { name: 'Grace' }, 'Grace\nGood\nmorning'],
  ['a reply without an author', { role: 'bot', text: 'Hi' }, undefined, 'Acme Bikes\nHi'],
  [
    'a reply in HTML',
    { role: 'agent', text: '<p>5 &lt; 6</p><p>yes</p>', contentType: 'text/html' },
    { name: 'Grace' },
    'Grace\n5 < 6\nyes',
  ],
  [
    'a card',
    { role: 'bot', type: 'card', text: 'Pick', items: [{ title: 'Bike', description: 'red' }] },
    undefined,
    'Acme Bikes\nPick\nBike\nred',
  ],
  [
    'a pressed button',
    { role: 'contact', type: 'postback', text: 'time=9', meta: { label: 'Nine' } },
    undefined,
    'Ada\nNine',
  ],
  [
    'a file',
    {
      ...{ role: 'contact', text: 'https://a.example/f/x', contentType: 'text/url' },
      meta: { media: { name: 'plan.txt', type: 'text/plain', bytes: 3 } },
    },
    undefined,
    'Ada\nplan.txt\nhttps://a.example/f/x',
  ],
  ['a note', { role: 'agent', text: 'secret', isBackchannel: true }, { name: 'Grace' }, null],
])('%s becomes an entry of a transcript', (_, message, author, expected) => {
  expect(entryOf(message, author)).toBe(expected === null ? null : `[2026-11-28 09:12] ${expected}`);
});

test('a transcript has a title, its time of creation and the entries', () => {
  const entries = ['[2026-11-28 09:12] Ada\nHello', '[2026-11-28 09:13] Grace\nHi'];
  expect(renderTranscript({ title: 'Order 7', entries, isCut: true, createdAt: AT })).toBe(
    'Order 7\nCreated at 2026-11-28 09:12. All times are in UTC.\nEarlier messages are left out.\n\n' +
      '[2026-11-28 09:12] Ada\nHello\n\n[2026-11-28 09:13] Grace\nHi\n',
  );
});
