import type { TSchema } from 'typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DomainError } from '../domain/errors.ts';
import type { ErrorDetail } from '../domain/errors.ts';
import { knownPart, knownPatch } from './known-part.ts';

const MOST_DETAILS = 20;

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
ajv.addFormat('id', /^[0-9a-f]{24}$/);

/** Turns a parsed body into the checked, known part of it, or throws DomainError `invalid_request` that names every field at fault. */
export type BodyCheck = (value: unknown) => unknown;

/** Compiles the check of a route's body. */
export function bodyCheck(schema: TSchema, kind: 'whole' | 'patch'): BodyCheck {
  const validate = ajv.compile(schema);
  const partOf = kind === 'patch' ? knownPatch : knownPart;
  return (value) => {
    const known = partOf(schema, value);
    if (validate(known)) return known;
    const details = detailsOf(validate.errors ?? []);
    const [first] = details;
    throw new DomainError(
      'invalid_request',
      first ? `${first.path}: ${first.message}` : 'The body is invalid.',
      {
        details,
      },
    );
  };
}

function detailsOf(errors: ErrorObject[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of withoutAlternatives(errors)) {
    const detail = detailOf(error);
    details.set(`${detail.path} ${detail.message}`, detail);
  }
  return [...details.values()].slice(0, MOST_DETAILS);
}

// Where one of several forms is admitted, only what is wrong with the form that was meant is worth telling.
function withoutAlternatives(errors: ErrorObject[]): ErrorObject[] {
  const unions = new Set(
    errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath),
  );
  const telling = errors.filter(
    ({ keyword, instancePath }) => keyword !== 'anyOf' && !(keyword === 'type' && unions.has(instancePath)),
  );
  return telling.length > 0 ? telling : errors.filter(({ keyword }) => keyword !== 'anyOf');
}

function detailOf({ instancePath, keyword, params, message }: ErrorObject): ErrorDetail {
  const place = instancePath.split('/').slice(1).map(unescaped);
  if (keyword === 'required') {
    return {
      path: [...place, (params as { missingProperty: string }).missingProperty].join('.'),
      message: 'is required',
    };
  }
  const path = place.length > 0 ? place.join('.') : 'body';
  if (keyword === 'enum') {
    const { allowedValues } = params as { allowedValues: unknown[] };
    return { path, message: `must be one of ${allowedValues.join(', ')}` };
  }
  return { path, message: message ?? 'is invalid' };
}

function unescaped(pointerStep: string): string {
  return pointerStep.replaceAll('~1', '/').replaceAll('~0', '~');
}
