import { expect, test } from 'vitest';
import type { Overdue } from '../../store/conversations/find-messages.ts';
import { OverdueProgress } from '../../worker/overdue-sweeper.ts';

const DUE_AT = new Date('2026-03-01T12:00:00Z');
const overdue = (...conversations: string[]) =>
  conversations.map((conversation) => ({ id: `m-${conversation}`, conversation, dueAt: DUE_AT }));
const after = (ms: number) => DUE_AT.getTime() + ms;
const nobody = () => false;
const newProgress = () =>
  new OverdueProgress<Overdue>({ key: ({ conversation }) => conversation, tooLateMs: 10_000, busyMs: 1_500 });

test('an overdue conversation is stuck if it is still overdue a second later', () => {
  const progress = newProgress();
  expect(progress.findStuck(overdue('a'), after(1_500), nobody)).toEqual([]);
  expect(progress.findStuck(overdue('a'), after(1_510), nobody)).toEqual([]);
  expect(progress.findStuck(overdue('a'), after(2_500), nobody)).toEqual(overdue('a'));
});

test('a conversation less than ten seconds late is not stuck while other conversations progress without being woken', () => {
  const progress = newProgress();
  progress.findStuck(overdue('a', 'b', 'c'), after(1_500), nobody);
  expect(progress.findStuck(overdue('b', 'c'), after(2_500), nobody)).toEqual([]);
  expect(progress.findStuck(overdue('c'), after(3_500), nobody)).toEqual([]);
  expect(progress.findStuck(overdue('c'), after(4_500), nobody)).toEqual([]);
  expect(progress.findStuck(overdue('c'), after(5_500), nobody)).toEqual(overdue('c'));
});

test('progress of a woken conversation does not delay the detection of other stuck conversations', () => {
  const progress = newProgress();
  progress.findStuck(overdue('a', 'b'), after(1_500), nobody);
  expect(progress.findStuck(overdue('b'), after(2_500), (conversation) => conversation === 'a')).toEqual(
    overdue('b'),
  );
});

test('a conversation that was just woken is not reported as stuck', () => {
  const progress = newProgress();
  progress.findStuck(overdue('a', 'b'), after(1_500), nobody);
  const woken = progress.findStuck(overdue('a', 'b'), after(2_500), (conversation) => conversation === 'a');
  expect(woken).toEqual(overdue('b'));
});

test('a conversation is stuck when it is ten seconds late, even if other conversations progress', () => {
  const progress = newProgress();
  progress.findStuck(overdue('a', 'b', 'c'), after(9_000), nobody);
  expect(progress.findStuck(overdue('b', 'c'), after(9_999), nobody)).toEqual([]);
  expect(progress.findStuck(overdue('c'), after(10_000), nobody)).toEqual(overdue('c'));
});
