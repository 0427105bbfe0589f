import { definedFields } from '../record-fields.ts';
import type { NullableFields } from '../record-fields.ts';
import { jsonBytes, assertSafeKeys } from '../free-form.ts';
import { invalidRequest, unprocessable, withinPath } from '../errors.ts';
import type { FormResult, FormType } from './message.ts';

const MAX_FORM = 64;
const MAX_VALUES_BYTES = 24 * 1024;
const MAX_TEXTS = 100;
const MAX_SHOWN_KEY = 64;

export type FormResultInput = Pick<FormResult, 'form'> & NullableFields<Omit<FormResult, 'form'>>;

export interface CompletableForm {
  /** The form's current name, and its name when it was opened. */
  names: readonly string[];
  types: readonly FormType[];
  /** Empty: any key is allowed. */
  keys: readonly string[];
}

export interface UsableForms {
  forms: ReadonlyMap<string, CompletableForm>;
  /** For the error of an unknown form. */
  offered: readonly string[];
}

/**
 * Drops null fields. Throws DomainError `invalid_request` for an invalid form id, else as
 * `assertFlatValues` does.
 */
export function parseResult({ form, formName, type, values }: FormResultInput, path: string): FormResult {
  if (!form) throw invalidRequest(`${path}.form`, 'is required');
  if (form.length > MAX_FORM)
    throw invalidRequest(`${path}.form`, `must have at most ${MAX_FORM} characters`);
  if (values) assertFlatValues(values, `${path}.values`);
  return { form, ...definedFields({ formName, type, values }) };
}

/**
 * Throws DomainError `unprocessable` for nested or large values, `invalid_request` for unsafe keys.
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
 * Adds types to results, and replaces former names of forms. Throws DomainError `unprocessable` for
 * an unknown form, type or key (spec 6.8).
 */
export function resolveResults(
  results: readonly FormResult[],
  { forms, offered }: UsableForms,
  path: 'results' | 'forms' = 'results',
): (FormResult & { type: FormType })[] {
  return results.map((result, at) =>
    withinPath(`${path}.${at}`, () => {
      const form = forms.get(result.form);
      const hint = offered.length === 0 ? '' : `; there are ${offered.join(', ')}`;
      if (!form) throw unprocessable(`there is no form "${result.form}"${hint}`, 'form');
      return resolveResult(result, form);
    }),
  );
}

function resolveResult(
  result: FormResult,
  { names, types, keys }: CompletableForm,
): FormResult & { type: FormType } {
  const { type = types[0] ?? 'topic', values = {} } = result;
  const [current] = names;
  const isFormer = result.formName !== undefined && !names.includes(result.formName);
  const formName = isFormer ? current : result.formName;
  if (!types.includes(type))
    throw unprocessable(`must be the type of the form, ${types.join(' or ')}`, 'type');
  const unknown = keys.length === 0 ? undefined : Object.keys(values).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw unprocessable(
      `the form "${names[0] ?? result.form}" has no such field; it has ${keys.join(', ')}`,
      `values.${truncateKey(unknown)}`,
    );
  }
  return { ...result, ...definedFields({ formName }), type };
}

function truncateKey(key: string): string {
  return key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}…` : key;
}
