import { loadDraft, saveDraft } from '../storage.ts';

/** Texts by the path of their field, such as `address.city`. */
export type ProfileValues = Readonly<Record<string, string>>;

/** Edits of a profile that are not saved. */
export interface ProfileDraft {
  /** The values that the form began with, of the edited fields. */
  before: ProfileValues;
  edited: ProfileValues;
}

/** An unsaved edit survives other conversations, other screens and a reload, as a reply does. */
export function loadProfileDraft(user: string, contact: string): ProfileDraft | undefined {
  return parseProfileDraft(loadDraft(getName(user, contact)));
}

/** Without a text, removes the draft. */
export function saveProfileDraft(user: string, contact: string, text = ''): void {
  saveDraft(getName(user, contact), text);
}

/** Returns undefined for other stored text. */
export function parseProfileDraft(text: string): ProfileDraft | undefined {
  try {
    const { before, edited } = JSON.parse(text) as Partial<Record<keyof ProfileDraft, object>>;
    return before && edited ? { before: pickTexts(before), edited: pickTexts(edited) } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an empty text if no value differs. */
export function formatProfileDraft(before: ProfileValues, values: ProfileValues): string {
  const names = Object.keys(values).filter((name) => values[name] !== before[name]);
  const pick = (all: ProfileValues) => Object.fromEntries(names.map((name) => [name, all[name] ?? '']));
  return names.length === 0 ? '' : JSON.stringify({ before: pick(before), edited: pick(values) });
}

function getName(user: string, contact: string): string {
  return `parlance:console:${user}:profile:${contact}`;
}

function pickTexts(values: object): ProfileValues {
  const texts = Object.entries(values).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return Object.fromEntries(texts);
}
