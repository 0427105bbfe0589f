import { expect, test } from 'vitest';
import { describeDeed } from '../../web/console/inbox/history.ts';
import { parseSlash } from '../../web/console/inbox/slash.ts';

const NAMES: Record<string, string> = { u1: 'Bruno', u2: 'Mei' };
const nameUser = (id: string) => NAMES[id] ?? 'A colleague';
const nameTeam = (id: string) => (id === 't1' ? 'Support' : 'a team');
const results = [{ form: 'f1', formName: 'Test drive', values: {} }];

test.each([
  [{ type: 'command', text: '/accept' }, 'took this'],
  [{ type: 'command', text: '/leave' }, 'left this'],
  [
    { type: 'command', text: '/assign', meta: { users: ['u1', 'u2', 'u3'] } },
    'assigned this to Bruno, Mei, A colleague',
  ],
  [{ type: 'command', text: '/assign', meta: { team: 't1' } }, 'assigned this to Support'],
  [
    { type: 'command', text: '/assign', meta: { team: 't2', users: ['u1'] } },
    'assigned this to a team, Bruno',
  ],
  [{ type: 'command', text: '/assign', meta: { team: null } }, 'removed the team'],
  [{ type: 'command', text: '/set @status closed' }, 'closed this'],
  [{ type: 'command', text: '/set status queued' }, 'put this into the queue'],
  [{ type: 'command', text: '/set meta.status closed' }, 'set the status to “closed”'],
  [{ type: 'command', text: '/set category Repairs' }, 'set the category to “Repairs”'],
  [{ type: 'command', text: '/set category' }, 'cleared the category'],
  [{ type: 'command', text: '/snooze PT2H' }, 'snoozed this'],
  [{ type: 'command', text: '>rollo help' }, 'asked “rollo help”'],
  [{ type: 'command', text: '/unknown word' }, 'sent the command /unknown word'],
  [{ type: 'field', text: '.day Friday' }, 'set the day to “Friday”'],
  [{ type: 'field', text: '.givenName' }, 'cleared the given name'],
  [{ type: 'form', text: '+Test drive' }, 'opened the form “Test drive”'],
  [{ type: 'form', text: '-Test drive' }, 'removed the form “Test drive”'],
  [{ type: 'results', text: '', results }, 'filled in “Test drive”'],
  [{ type: 'results', text: '4/5', externalId: 'rating:m1', results }, 'rated this 4 of 5'],
  [{ type: 'tag', text: 'urgent' }, 'tagged this “urgent”'],
  [{ type: 'chat', text: '/accept' }, undefined],
] as const)('the history describes %j as %s', (message, words) => {
  expect(describeDeed(message as unknown as Parameters<typeof describeDeed>[0], { nameUser, nameTeam })).toBe(
    words,
  );
});

test.each([
  ['Hello', undefined],
  ['either/or', undefined],
  ['/take', { command: '/accept' }],
  ['/close', { command: '/set @status closed' }],
  ['/snooze PT2H', { command: '/snooze PT2H' }],
  ['/leave', { command: '/leave' }],
])('the text %s of an agent becomes %j', (text, slash) => {
  expect(parseSlash(text)).toEqual(slash);
});

test.each(['/', '/ ', '/refund', '/etc/hosts', '/leave now', '/close it', '/assign Bruno'])(
  'the text %s of an agent is refused',
  (text) => {
    expect(parseSlash(text)).toHaveProperty('refusal');
  },
);
