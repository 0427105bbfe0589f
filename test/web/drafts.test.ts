import { describe, expect, test } from 'vitest';
import {
  EMPTY_DRAFT,
  formatDraft,
  identifyAttempt,
  joinDrafts,
  parseDraft,
} from '../../web/console/inbox/draft.ts';
import { mergeMessages } from '../../web/console/inbox/entries.ts';
import { createTurns } from '../../web/console/turns.ts';

describe('a draft', () => {
  test.each(['', 'text of an earlier version', 'null', '[]', '7'])(
    'a stored draft that cannot be read (%s) is an empty draft',
    (stored) => expect(parseDraft(stored)).toEqual(EMPTY_DRAFT),
  );

  test('a draft is stored with its channel, quick replies and mentioned colleagues', () => {
    const draft = { text: 'Hi', replies: 'Yes, No', carrier: 'web', mentioned: { u1: 'Mei Lin' } };
    expect(parseDraft(formatDraft(draft))).toEqual(draft);
    expect(formatDraft(EMPTY_DRAFT)).toBe('');
  });

  test('a reply whose answer was lost is sent again under its key, and under another key if its text changed', () => {
    const first = identifyAttempt([{ text: 'Hi' }], undefined);
    const stored = parseDraft(formatDraft({ ...EMPTY_DRAFT, text: 'Hi', tried: first })).tried;
    expect(identifyAttempt([{ text: 'Hi' }], stored)).toEqual(first);
    expect(identifyAttempt([{ text: 'Hi!' }], stored).key).not.toBe(first.key);
  });

  test('a draft that was not sent returns unchanged if nothing was written meanwhile', () => {
    const unsent = { ...EMPTY_DRAFT, text: 'Hi', tried: { key: 'k', body: 'b' } };
    expect(joinDrafts(unsent, EMPTY_DRAFT)).toMatchObject(unsent);
  });

  test('a draft that was not sent comes before what was written meanwhile, with another key', () => {
    const unsent = { ...EMPTY_DRAFT, text: 'Hi', replies: 'Yes', tried: { key: 'k', body: 'b' } };
    const joined = joinDrafts(unsent, { ...EMPTY_DRAFT, text: 'Bye', replies: 'No', carrier: 'web' });
    expect(joined).toEqual({ text: 'Hi\nBye', replies: 'Yes, No', carrier: 'web', mentioned: {} });
  });
});

describe('a late response', () => {
  const message = (id: string, updatedAt: string, more: object = {}) =>
    ({ id, sequence: 1, updatedAt, ...more }) as Parameters<typeof mergeMessages>[0][number];

  test('a response that arrives after a response to a later request is late', () => {
    const begin = createTurns();
    const [first, second, third] = [begin(), begin(), begin()];
    expect([second.isLate(), first.isLate(), third.isLate()]).toEqual([false, true, false]);
  });

  test('an earlier version of a message never replaces the edited message', () => {
    const edited = message('m', '2026-01-01T00:00:02Z');
    expect(mergeMessages([edited], [message('m', '2026-01-01T00:00:01Z')])).toEqual([edited]);
    expect(mergeMessages([message('m', '2026-01-01T00:00:01Z')], [edited])).toEqual([edited]);
  });

  test('a response from before a receipt does not take the receipt away', () => {
    const at = '2026-01-01T00:00:01Z';
    const delivered = message('m', at, { delivery: { status: 'delivered', at } });
    expect(mergeMessages([delivered], [message('m', at)])).toEqual([delivered]);
  });

  test('a deleted message does not return with a response from before its deletion', () => {
    expect(mergeMessages([], [message('m', '2026-01-01T00:00:01Z')], new Set(['m']))).toEqual([]);
  });
});
