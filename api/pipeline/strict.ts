import type { TSchema } from 'typebox';
import { DomainError } from '../../domain/errors.ts';
import { MAX_NAMED, notAccepted } from '../../schema/ignored-fields.ts';
import type { FieldPath } from '../request.ts';

export const STRICT_APPLIED = { 'Preference-Applied': 'handling=strict' } as const;

const STRICT = /^\s*handling\s*=\s*"?strict"?\s*(;.*)?$/i;

/** Returns whether a header `Prefer` has `handling=strict` (RFC 7240, spec 2.2). */
export function prefersStrict(prefer: string): boolean {
  return prefer.split(',').some((preference) => STRICT.test(preference));
}

interface Ignored {
  ignored: readonly FieldPath[];
  /** Suggests names for mistyped fields. */
  schema?: TSchema | undefined;
  hints?: readonly { path: string; message: string }[];
}

/**
 * Throws DomainError `invalid_request` for what a strict request must not contain: ignored fields
 * and unknown commands (spec 2.2). Call it before the request has an effect.
 */
export function assertNothingIgnored({ ignored, schema, hints = [] }: Ignored): void {
  const fields = ignored.map((path) => ({
    path: path.join('.'),
    message: notAccepted(schema, path),
  }));
  const details = [...fields, ...hints].slice(0, MAX_NAMED);
  const [first] = details;
  if (first) throw new DomainError('invalid_request', `${first.path}: ${first.message}`, { details });
}
