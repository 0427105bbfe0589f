import type { Doc } from '../bson/value.ts';
import { isNumber, toNumber } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { FoundDocument } from '../query/read.ts';
import { assertNoUnsupportedOptions } from './find.ts';
import type { WriteError } from './insert.ts';
import { CHUNK, checkCount, withErrors, writeError } from './insert.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseDocuments, parseFlag, parseNamespace, assertKnownFields } from './request.ts';
import type { WriteTarget } from './search.ts';
import { searchKeys } from './search.ts';
import { changeOne, reloadFound, removeFound } from './write.ts';

export async function remove(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, ['deletes', 'ordered', 'let']);
  assertNoUnsupportedOptions(request.body, ['let']);
  const namespace = parseNamespace(request);
  const ordered = !request.body.has('ordered') || parseFlag(request.body, 'ordered');
  const specs = parseDocuments(request, 'deletes');
  checkCount(specs.length);
  const errors: WriteError[] = [];
  let count = 0;
  for (const [index, spec] of specs.entries()) {
    try {
      count += await removeMatching(store, {
        target: parseDeleteTarget(spec, namespace),
        limit: parseDeleteLimit(spec),
      });
    } catch (error) {
      errors.push(writeError(index, error));
      if (ordered) break;
    }
  }
  return withErrors({ n: count, ok: 1 }, errors);
}

function parseDeleteTarget(spec: Doc, namespace: string): WriteTarget {
  assertKnownFields(spec, { allowed: ['q', 'limit', 'hint', 'collation'], command: 'delete.deletes' });
  assertNoUnsupportedOptions(spec, ['collation']);
  return { namespace, filter: compileFilter(spec.get('q')), hint: spec.get('hint') };
}

function parseDeleteLimit(spec: Doc): number {
  const limit = spec.get('limit');
  const number = isNumber(limit) ? toNumber(limit) : NaN;
  if (number !== 0 && number !== 1)
    throw new StoreError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${number}`);
  return number === 0 ? Infinity : 1;
}

export async function removeMatching(
  store: Store,
  { target, limit }: { target: WriteTarget; limit: number },
): Promise<number> {
  if (limit === 1)
    return changeOne(store, { target, change: (found) => removeOne(store, { found, target }) });
  const keys = await searchKeys(store, { target, limit });
  let count = 0;
  for (let at = 0; at < keys.length; at += CHUNK) {
    const chunk = keys.slice(at, at + CHUNK);
    const removed = await store.environment.write(() =>
      chunk.reduce(
        (sum, key) => sum + removeOne(store, { found: reloadFound(store, { key, target }), target }),
        0,
      ),
    );
    count += removed;
  }
  return count;
}

function removeOne(
  store: Store,
  { found, target }: { found: FoundDocument | undefined; target: WriteTarget },
): number {
  if (!found) return 0;
  removeFound(store, { found, target });
  return 1;
}
