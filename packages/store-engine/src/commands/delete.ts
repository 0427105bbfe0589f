import type { Doc } from '../bson/value.ts';
import { isNumber, toNumber } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { Found } from '../query/read.ts';
import { refuseOptions } from './find.ts';
import type { WriteError } from './insert.ts';
import { CHUNK, checkCount, withErrors, writeError } from './insert.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, docsOf, flagOf, namespaceOf, refuseUnknown } from './request.ts';
import type { Target } from './target.ts';
import { searchKeys } from './search.ts';
import { changeOne, refreshed, removeFound } from './write.ts';

export async function remove(store: Store, request: Request): Promise<Answer> {
  checkFields(request, ['deletes', 'ordered', 'let']);
  refuseOptions(request.body, ['let']);
  const namespace = namespaceOf(request);
  const ordered = !request.body.has('ordered') || flagOf(request.body, 'ordered');
  const specs = docsOf(request, 'deletes');
  checkCount(specs.length);
  const errors: WriteError[] = [];
  let count = 0;
  for (const [index, spec] of specs.entries()) {
    try {
      count += await removeMatching(store, { target: targetOf(spec, namespace), limit: limitOf(spec) });
    } catch (error) {
      errors.push(writeError(index, error));
      if (ordered) break;
    }
  }
  return withErrors({ n: count, ok: 1 }, errors);
}

function targetOf(spec: Doc, namespace: string): Target {
  refuseUnknown(spec, { allowed: ['q', 'limit', 'hint', 'collation'], command: 'delete.deletes' });
  refuseOptions(spec, ['collation']);
  return { namespace, filter: compileFilter(spec.get('q')), hint: spec.get('hint') };
}

function limitOf(spec: Doc): number {
  const limit = spec.get('limit');
  const number = isNumber(limit) ? toNumber(limit) : NaN;
  if (number !== 0 && number !== 1)
    throw new StoreError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${number}`);
  return number === 0 ? Infinity : 1;
}

/** Removes what matches, a chunk per transaction; answers how many. */
export async function removeMatching(
  store: Store,
  { target, limit }: { target: Target; limit: number },
): Promise<number> {
  if (limit === 1)
    return changeOne(store, { target, change: (found) => removeOne(store, { found, target }) });
  const keys = await searchKeys(store, { target, limit });
  let count = 0;
  for (let at = 0; at < keys.length; at += CHUNK) {
    const chunk = keys.slice(at, at + CHUNK);
    const removed = await store.environment.write(() =>
      chunk.reduce(
        (sum, key) => sum + removeOne(store, { found: refreshed(store, { key, target }), target }),
        0,
      ),
    );
    count += removed;
  }
  return count;
}

function removeOne(store: Store, { found, target }: { found: Found | undefined; target: Target }): number {
  if (!found) return 0;
  removeFound(store, { found, target });
  return 1;
}
