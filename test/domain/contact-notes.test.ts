import { describe, expect, test } from 'vitest';
import { MAX_NOTES, addNote, changeLabels, mergeNotes } from '../../domain/contact-notes.ts';
import { MAX_LABELS } from '../../domain/conversations/labels.ts';

const note = (at: number) => ({
  id: `n${at}`,
  text: `Note ${at}`,
  user: 'u1',
  createdAt: new Date(at * 1_000).toISOString(),
});
const notes = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, at) => note(from + at));

/** Spec 4.9. */
describe('the labels of a contact', () => {
  test.each([
    [[], { add: ['VIP', ' late  payer '] }, ['vip', 'late payer']],
    [['vip'], { add: ['Vip', 'new'] }, ['vip', 'new']],
    [['vip', 'new'], { remove: ['VIP'] }, ['new']],
    [['vip'], { add: ['new'], remove: ['vip'] }, ['new']],
    [['vip'], { remove: ['other'] }, ['vip']],
    [['vip'], {}, ['vip']],
  ])('the labels %j become, by %j, %j', (labels, change, expected) => {
    expect(changeLabels(labels, change)).toEqual(expected);
  });

  test('a label that is blank or one too many is refused with its path', () => {
    const full = Array.from({ length: MAX_LABELS }, (_, at) => `label ${at}`);
    const refusal = (path: string) =>
      expect.objectContaining({ code: 'unprocessable', details: [expect.objectContaining({ path })] });
    expect(() => changeLabels(full, { add: ['another'] })).toThrow(refusal('add'));
    expect(changeLabels(full, { add: ['another'], remove: ['label 0'] })).toHaveLength(MAX_LABELS);
    expect(() => changeLabels([], { add: ['vip', '\u200b'] })).toThrow(refusal('add.1'));
  });
});

describe('the notes of a contact', () => {
  test('a repeated request adds a note once, and a contact with the maximum of notes gets no further one', () => {
    expect(addNote(notes(0, 2), note(1))).toEqual(notes(0, 2));
    expect(addNote(notes(0, 2), note(2))).toEqual(notes(0, 3));
    expect(() => addNote(notes(0, MAX_NOTES), note(MAX_NOTES))).toThrow(/at most 50 notes/);
  });

  test('a merge keeps all notes of the survivor and the newest of the other contact, sorted by time', () => {
    expect(mergeNotes([note(2)], [note(3), note(1)])).toEqual({ notes: notes(1, 4), left: [] });
    expect(mergeNotes([note(2)], [note(2)])).toEqual({ notes: [note(2)], left: [] });
    const kept = notes(100, 100 + MAX_NOTES - 2);
    const { notes: merged, left } = mergeNotes(kept, notes(0, 5));
    expect(merged).toEqual([...notes(3, 5), ...kept]);
    expect(left).toEqual(notes(0, 3));
  });
});
