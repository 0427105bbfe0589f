import type { TSchema } from 'typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isBlank } from '../../domain/blank.ts';
import { DomainError } from '../../domain/errors.ts';
import { ID } from '../../domain/id.ts';
import { buildDetails } from './fault-words.ts';
import { pickKnown, pickKnownPatch } from './known-part.ts';

/**
 * Above so many values, only the first fault is told: looking for all of them would cost more than
 * the body is worth.
 */
const MAX_VALUES_SEARCHED = 1_000;

/** What keeps lists and maps short. */
const BOUNDS = ['maxItems', 'maxProperties'];

// Made when the first body comes: a start that compiled the checks of all routes took a third
// longer, and most processes never see most kinds of bodies (docs/decisions/start-and-rest.md).
const firstFault = once(() => validator({ allErrors: false }));
const allFaults = once(() => validator({ allErrors: true }));

/**
 * Turns a parsed body into the checked, known part of it, or throws DomainError `invalid_request`:
 * of a body of up to 1,000 values it names the fields at fault, of a larger one the first that is.
 * A list or map with too many entries is refused before its entries are looked at.
 */
export type BodyCheck = (value: unknown) => unknown;

/** The check of a route's body, compiled when it is first used. */
export function bodyCheck(schema: TSchema, kind: 'whole' | 'patch'): BodyCheck {
  const admits = once(() => firstFault().compile(schema));
  const search = once(() => allFaults().compile(schema));
  const pickPart = kind === 'patch' ? pickKnownPatch : pickKnown;
  const findFaults = (known: unknown): ErrorObject[] => {
    const first = admits().errors ?? [];
    const overfull = first.some(({ keyword }) => BOUNDS.includes(keyword));
    if (overfull || !hasAtMost(MAX_VALUES_SEARCHED, known)) return first;
    search()(known);
    return search().errors ?? [];
  };
  return (value) => {
    const known = pickPart(schema, value);
    if (admits()(known)) return known;
    const details = buildDetails(findFaults(known), value);
    const [first] = details;
    const message = first ? `${first.path}: ${first.message}` : 'The body is invalid.';
    throw new DomainError('invalid_request', message, { details });
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function validator({ allErrors }: { allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ allErrors, strict: true, allowUnionTypes: true, verbose: true });
  addFormats.default(ajv);
  ajv.addFormat('id', ID);
  // `minLength` refuses an empty text in other words.
  ajv.addFormat('visible', { type: 'string', validate: (text: string) => text === '' || !isBlank(text) });
  return ajv;
}

function hasAtMost(max: number, value: unknown): boolean {
  const open: unknown[] = [value];
  let values = 0;
  while (open.length > 0 && values <= max) {
    const one = open.pop();
    values += 1;
    if (typeof one === 'object' && one !== null)
      open.push(...(Object.values(one) as unknown[]).slice(0, max));
  }
  return values <= max;
}
