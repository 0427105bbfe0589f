import { NO_VISIBLE_CHARACTER, isBlank, toOneLine } from '../characters.ts';
import { unprocessable } from '../errors.ts';

export const MAX_LABELS = 20;
export const MAX_LABEL_CHARACTERS = 50;

/**
 * Returns the stored form of a label (spec 5.17): one line in lower case. Throws DomainError
 * `unprocessable` for a label that is blank or too long.
 */
export function parseLabel(text: string): string {
  const label = toOneLine(text).normalize('NFC').toLowerCase();
  if (isBlank(label)) throw unprocessable(`A label ${NO_VISIBLE_CHARACTER}, such as urgent.`);
  if (label.length > MAX_LABEL_CHARACTERS)
    throw unprocessable(`A label has at most ${MAX_LABEL_CHARACTERS} characters.`);
  return label;
}
