import type { TSchema } from 'typebox';
import { suggestionFor } from '../../domain/suggestion.ts';
import { MAX_NAMED, listSiblingFields } from '../../application/schema/ignored-fields.ts';

/** Path to a field of a body. Indexes of lists count from 0. */
export type FieldPath = readonly (string | number)[];

/** Limit for one encoded step. */
const MAX_STEP_LENGTH = 64;

/** Returns the header with at most 20 ignored fields (spec 2), or no header. */
export function buildIgnoredHeader(paths: readonly FieldPath[]): Record<string, string> {
  const names = paths.slice(0, MAX_NAMED).map((path) => path.map(stepText).join('.'));
  return names.length > 0 ? { 'X-Ignored-Fields': names.join(', ') } : {};
}

const MAX_HINTS = 5;

/** Suggests names for ignored fields: `givnName: did you mean givenName?` */
export function collectHints(schema: TSchema | undefined, paths: readonly FieldPath[]): string[] {
  if (!schema) return [];
  return paths.slice(0, MAX_HINTS).flatMap((path) => {
    const meant = suggestionFor(String(path.at(-1)), listSiblingFields(schema, path));
    return meant === undefined ? [] : [`${path.map(stepText).join('.')}: did you mean ${meant}?`];
  });
}

export function buildHintHeader(hints: readonly string[]): Record<string, string> {
  return hints.length > 0 ? { 'X-Hint': hints.slice(0, MAX_HINTS).join(' ') } : {};
}

/** Percent-encodes a step, dots and commas included, and truncates it. */
function stepText(step: string | number): string {
  let text = '';
  for (const character of String(step)) {
    // encodeURIComponent throws on half a surrogate pair. The Buffer replaces it.
    const encoded = encodeURIComponent(Buffer.from(character).toString()).replace('.', '%2E');
    if (text.length + encoded.length > MAX_STEP_LENGTH) return `${text}...`;
    text += encoded;
  }
  return text;
}
