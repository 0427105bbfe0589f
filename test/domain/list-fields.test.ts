import { describe, expect, test } from 'vitest';
import { findWaitingSince } from '../../domain/conversations/last-message.ts';
import { shortenText } from '../../domain/strip-tags.ts';

describe('the text of lastMessage', () => {
  test.each([
    ['two\n  lines', undefined, 'two lines'],
    [
      '<p>Dear <b>Ada</b>,</p><style>p{}</style><p>5 &lt; 6 &amp; more</p>',
      'text/html',
      'Dear Ada , 5 < 6 & more',
    ],
    ['5 < 6', 'text/plain', '5 < 6'],
    ['👍'.repeat(300), undefined, `${'👍'.repeat(199)}…`],
    ['x'.repeat(200), undefined, 'x'.repeat(200)],
  ] as const)('the text %j of type %s becomes %j', (text, contentType, short) => {
    expect(shortenText({ text, ...(contentType ? { contentType } : {}) })).toBe(short);
  });
});

describe('waitingSince', () => {
  const [queued, waiting] = ['2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z'];
  test.each([
    [
      'a queued conversation waits since the contact wrote',
      { status: 'queued', timing: { queued, waiting } },
      waiting,
    ],
    [
      'a queued conversation that was answered waits since it was queued',
      { status: 'queued', timing: { queued } },
      queued,
    ],
    [
      'an active conversation waits since the contact wrote',
      { status: 'active', timing: { waiting } },
      waiting,
    ],
    ['an answered active conversation does not wait', { status: 'active', timing: {} }, undefined],
    ['a closed conversation does not wait', { status: 'closed', timing: { waiting } }, undefined],
    [
      'a snoozed conversation does not wait',
      { status: 'active', timing: { waiting }, snoozedUntil: queued },
      undefined,
    ],
  ] as const)('%s', (_, state, since) => {
    expect(findWaitingSince(state)).toBe(since);
  });
});
