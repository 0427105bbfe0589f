import type { TSchema } from 'typebox';
import { suggestionFor } from '../../domain/suggestion.ts';
import { MAX_NAMED, listSiblingFields } from '../../application/schema/ignored-fields.ts';

/** The steps to a field of a body; those into a list count from 0. */
export type FieldPath = readonly (string | number)[];

/** Of one step, as it stands in the header. */
const MAX_STEP_LENGTH = 64;

/**
 * The header that names ignored fields by dotted paths, at most 20 (spec 2): nothing where there
 * are none.
 */
export function buildIgnoredHeader(paths: readonly FieldPath[]): Record<string, string> {
  const names = paths.slice(0, MAX_NAMED).map((path) => path.map(stepText).join('.'));
  return names.length > 0 ? { 'X-Ignored-Fields': names.join(', ') } : {};
}

/** As many hints fit. */
const MAX_HINTS = 5;

/** What ignored fields were probably meant to be: `givnName: did you mean givenName?` */
export function collectHints(schema: TSchema | undefined, paths: readonly FieldPath[]): string[] {
  if (!schema) return [];
  return paths.slice(0, MAX_HINTS).flatMap((path) => {
    const meant = suggestionFor(String(path.at(-1)), listSiblingFields(schema, path));
    return meant === undefined ? [] : [`${path.map(stepText).join('.')}: did you mean ${meant}?`];
  });
}

/** The header that says what is worth knowing of a write: nothing where there is nothing. */
export function buildHintHeader(hints: readonly string[]): Record<string, string> {
  return hints.length > 0 ? { 'X-Hint': hints.slice(0, MAX_HINTS).join(' ') } : {};
}

/**
 * A step as a header can hold it, whatever it is: percent-encoded, with dots and commas, and cut
 * off where it is long.
 */
function stepText(step: string | number): string {
  let text = '';
  for (const character of String(step)) {
    // Half a surrogate pair becomes the replacement character.
    const encoded = encodeURIComponent(Buffer.from(character).toString()).replace('.', '%2E');
    if (text.length + encoded.length > MAX_STEP_LENGTH) return `${text}...`;
    text += encoded;
  }
  return text;
}
