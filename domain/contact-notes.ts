import { MAX_LABELS, parseLabel } from './conversations/labels.ts';
import { unprocessable, withinPath } from './errors.ts';

export const MAX_NOTES = 50;
export const MAX_NOTE_CHARACTERS = 2_000;

/** A note of a user about a contact (spec 4.9). */
export interface ContactNote {
  id: string;
  text: string;
  user: string;
  /** ISO 8601 UTC. */
  createdAt: string;
}

/**
 * Returns the labels after a change, in the order in which they were added. Throws DomainError
 * `unprocessable` for an invalid label or too many labels.
 */
export function changeLabels(
  labels: readonly string[],
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
): string[] {
  const parse = (name: string, given: readonly string[]) =>
    given.map((label, at) => withinPath(`${name}.${at}`, () => parseLabel(label)));
  const removed = parse('remove', remove);
  const kept = labels.filter((label) => !removed.includes(label));
  const changed = [...new Set([...kept, ...parse('add', add)])];
  if (changed.length > MAX_LABELS && changed.length > labels.length)
    throw unprocessable(`a contact has at most ${MAX_LABELS} labels`, 'add');
  return changed;
}

/** Returns all notes with the new note last. Throws DomainError `unprocessable` for too many. */
export function addNote(notes: readonly ContactNote[], note: ContactNote): ContactNote[] {
  if (notes.some(({ id }) => id === note.id)) return [...notes];
  if (notes.length >= MAX_NOTES)
    throw unprocessable(`a contact has at most ${MAX_NOTES} notes; delete one first`, 'text');
  return [...notes, note];
}

/** Returns the notes of both contacts, and the oldest given notes for which there is no room. */
export function mergeNotes(
  kept: readonly ContactNote[],
  given: readonly ContactNote[],
): { notes: ContactNote[]; left: ContactNote[] } {
  const added = given.filter(({ id }) => !kept.some((one) => one.id === id)).sort(byTime);
  const left = added.splice(0, Math.max(0, kept.length + added.length - MAX_NOTES));
  return { notes: [...kept, ...added].sort(byTime), left };
}

function byTime(one: ContactNote, other: ContactNote): number {
  return one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0;
}
