import { DomainError } from '../../domain/errors.ts';
import { notFound, preconditionFailed, unavailable } from '../../domain/refusal.ts';
import { matchesIfMatch, serializeWithEtag } from '../pipeline/etag.ts';
import type { ApiRequest } from '../request.ts';
import { describeResource } from './resource.ts';
import type { RecordSource } from './resource.ts';

/** So often may what nobody is shown of a record change in between. */
const MAX_TRIES = 20;

/**
 * A record that is about to be changed: how it is found, called, and shown by a `GET` of its own.
 */
export interface EditTarget<T> {
  /** As in "The user". */
  what: string;
  find: () => Promise<T | null>;
  present: (record: T) => unknown;
}

/** The record of a request's path. */
export function recordTarget<T>(
  source: Pick<RecordSource<T>, 'name' | 'present' | 'find'>,
  { principal, id }: Pick<ApiRequest, 'principal' | 'id'>,
): EditTarget<T> {
  const { present } = source;
  return { what: describeResource(source), present, find: () => source.find(principal.reach, id) };
}

/**
 * Changes a record only while it is as its caller saw it, where the request has an `If-Match` (spec
 * 2): then `change` is given the record as `seen` and must write in one step with seeing that it is
 * still so; it answers null, or rejects with `precondition_failed`, where it is not, and the record
 * is looked at again. Of several such requests at the same time one wins.
 *
 * Throws DomainError `not_found`, and `precondition_failed` where no tag of the header is the
 * record's.
 */
export async function withIfMatch<T, R>(
  { ifMatch }: Pick<ApiRequest, 'ifMatch'>,
  { find, what, present }: EditTarget<T>,
  change: (record: T, seen: T | undefined) => Promise<R | null>,
): Promise<R | null> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const record = await find();
    if (!record) throw notFound(what);
    if (ifMatch === '') return change(record, undefined);
    const { etag } = serializeWithEtag((await present(record)) as object);
    if (!matchesIfMatch(ifMatch, etag)) throw preconditionFailed();
    const changed = await change(record, record).catch(nullIfChanged);
    if (changed !== null) return changed;
  }
  throw unavailable();
}

function nullIfChanged(error: unknown): null {
  if (error instanceof DomainError && error.code === 'precondition_failed') return null;
  throw error;
}
