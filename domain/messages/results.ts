import { definedFields } from '../record-fields.ts';
import { jsonBytes, assertSafeKeys } from '../free-form.ts';
import { invalidRequest, unprocessable, withinPath } from '../errors.ts';
import type { FormResult, FormType } from './message.ts';

/** The most characters of a form's id. */
const MAX_FORM = 64;
/** Bytes of the values of one result as JSON: as many as all open forms of a conversation have. */
const MAX_VALUES_BYTES = 24 * 1024;
/** Texts in the list that one value may be. */
const MAX_TEXTS = 100;
/** The most characters of a key in an error. */
const MAX_SHOWN_KEY = 64;

type NullableFields<T> = { [K in keyof T]?: T[K] | null };

/** A form result as a caller writes it: null means absent. */
export type FormResultInput = Pick<FormResult, 'form'> & NullableFields<Omit<FormResult, 'form'>>;

/** Facts of a form that results have to match. */
export interface CompletableForm {
  /** Its name, and the name that it was opened under where that was another. */
  names: readonly string[];
  /** Its type, and the type that it was opened with. */
  types: readonly FormType[];
  /** Keys of its fields, and of values that it holds in the conversation; empty: any key. */
  keys: readonly string[];
}

/**
 * Returns a form result with its nulls left out. Throws DomainError `invalid_request` for a field
 * that is wrong by itself, and `unprocessable` for values that are nested or too large (spec 6.8).
 */
export function parseResult({ form, formName, type, values }: FormResultInput, path: string): FormResult {
  if (!form) throw invalidRequest(`${path}.form`, 'is required');
  if (form.length > MAX_FORM)
    throw invalidRequest(`${path}.form`, `must have at most ${MAX_FORM} characters`);
  if (values) assertFlatValues(values, `${path}.values`);
  return { form, ...definedFields({ formName, type, values }) };
}

/**
 * Throws DomainError `unprocessable` for values of a form that are nested or too large, and
 * `invalid_request` for a key that may not be named.
 */
export function assertFlatValues(values: Record<string, unknown>, path: string): void {
  assertSafeKeys(values, path, { dots: 'allowed' });
  for (const [key, value] of Object.entries(values)) {
    if (!isFlat(value)) {
      throw unprocessable(
        `must be a text, a number, true, false, null or a list of at most ${MAX_TEXTS} texts`,
        `${path}.${truncateKey(key)}`,
      );
    }
  }
  if (jsonBytes(values) > MAX_VALUES_BYTES) {
    throw unprocessable(`must not exceed ${MAX_VALUES_BYTES / 1024} KiB as JSON`, path);
  }
}

function isFlat(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value !== 'object' || value === null;
  return value.length <= MAX_TEXTS && value.every((member) => typeof member === 'string');
}

/**
 * Returns the results with the type of their form where they name none. Throws DomainError
 * `unprocessable` for a result whose form is not among `forms` (by id), or whose name, type or keys
 * are not of the form (spec 6.8). `offered`: the forms that the error for an unknown form names.
 */
export function resolveResults(
  results: readonly FormResult[],
  { forms, offered }: { forms: ReadonlyMap<string, CompletableForm>; offered: readonly string[] },
): FormResult[] {
  return results.map((result, at) =>
    withinPath(`results.${at}`, () => {
      const form = forms.get(result.form);
      if (!form) throw unprocessable(`there is no form "${result.form}"${describeOffered(offered)}`, 'form');
      return resolveResult(result, form);
    }),
  );
}

function resolveResult(result: FormResult, { names, types, keys }: CompletableForm): FormResult {
  const { formName, type = types[0] ?? 'topic', values = {} } = result;
  if (formName !== undefined && !names.includes(formName)) {
    throw unprocessable(`must be the name of the form, ${quoteNames(names)}`, 'formName');
  }
  if (!types.includes(type))
    throw unprocessable(`must be the type of the form, ${types.join(' or ')}`, 'type');
  const unknown = keys.length === 0 ? undefined : Object.keys(values).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw unprocessable(
      `the form "${names[0] ?? result.form}" has no such field; it has ${keys.join(', ')}`,
      `values.${truncateKey(unknown)}`,
    );
  }
  return { ...result, type };
}

function describeOffered(offered: readonly string[]): string {
  return offered.length === 0 ? '' : `; there are ${offered.join(', ')}`;
}

function quoteNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' or ');
}

function truncateKey(key: string): string {
  return key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}…` : key;
}
