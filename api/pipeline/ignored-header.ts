import type { TSchema } from 'typebox';
import { suggestionFor } from '../../domain/suggestion.ts';
import { MAX_NAMED, listSiblingFields } from '../../application/schema/ignored-fields.ts';

/** Indexes of lists count from 0. */
export type FieldPath = readonly (string | number)[];

const MAX_STEP_LENGTH = 64;

/** Names at most 20 ignored fields (spec 2). Returns no header without them. */
export function buildIgnoredHeader(paths: readonly FieldPath[]): Record<string, string> {
  const names = paths.slice(0, MAX_NAMED).map((path) => path.map(stepText).join('.'));
  return names.length > 0 ? { 'X-Ignored-Fields': names.join(', ') } : {};
}

const MAX_HINTS = 5;

/** Suggests field names: `givnName: did you mean givenName?` */
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

/** Percent-encodes dots and commas, too, and truncates. */
function stepText(step: string | number): string {
  let text = '';
  for (const character of String(step)) {
    // The Buffer replaces half a surrogate pair, on which encodeURIComponent throws.
    const encoded = encodeURIComponent(Buffer.from(character).toString()).replace('.', '%2E');
    if (text.length + encoded.length > MAX_STEP_LENGTH) return `${text}...`;
    text += encoded;
  }
  return text;
}
