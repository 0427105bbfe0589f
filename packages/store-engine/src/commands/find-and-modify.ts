import type { Doc } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { FoundDocument } from '../query/read.ts';
import { parseProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import type { Update } from '../update/update.ts';
import { parseUpdate } from '../update/update.ts';
import { assertNoUnsupportedOptions } from './find.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseFlag, parseNamespace } from './request.ts';
import type { WriteTarget } from './search.ts';
import { changeOne, removeFound, updateFound, upsert } from './write.ts';

const FIELDS = [
  'query',
  'sort',
  'remove',
  'update',
  'new',
  'fields',
  'upsert',
  'bypassDocumentValidation',
  'collation',
  'arrayFilters',
  'hint',
  'let',
];

interface Modification {
  target: WriteTarget;
  update: Update | undefined;
  wantsNew: boolean;
  upsert: boolean;
}

export async function findAndModify(store: Store, request: CommandRequest): Promise<CommandReply> {
  const { body } = request;
  checkFields(request, FIELDS);
  assertNoUnsupportedOptions(body, ['collation', 'let']);
  const modification = readModification(body, parseNamespace(request));
  const projection = parseProjection(body.get('fields'));
  const { value, lastErrorObject } = await changeOne(store, {
    target: modification.target,
    change: (found) => modify(store, { modification, found }),
  });
  return { lastErrorObject, value: value && projection ? projection.projectBytes(value) : value, ok: 1 };
}

function readModification(body: Doc, namespace: string): Modification {
  const removes = parseFlag(body, 'remove');
  if (removes && (body.has('update') || parseFlag(body, 'new') || parseFlag(body, 'upsert'))) {
    throw new StoreError('FailedToParse', `Cannot specify both an update, new or upsert and remove=true`);
  }
  if (!removes && !body.has('update'))
    throw new StoreError('FailedToParse', 'Either an update or remove=true must be specified');
  parseSort(body.get('sort'));
  return {
    target: {
      namespace,
      filter: compileFilter(body.get('query')),
      sort: body.get('sort'),
      hint: body.get('hint'),
    },
    update: removes ? undefined : parseUpdate(body.get('update'), body.get('arrayFilters')),
    wantsNew: parseFlag(body, 'new'),
    upsert: parseFlag(body, 'upsert'),
  };
}

interface Modified {
  value: Buffer | null;
  lastErrorObject: CommandReply;
}

/** Must run in the transaction that read `found`, so that no other write comes in between. */
function modify(
  store: Store,
  { modification, found }: { modification: Modification; found: FoundDocument | undefined },
): Modified {
  const { target, update } = modification;
  if (!update) {
    if (found) removeFound(store, { found, target });
    return { value: found?.bytes ?? null, lastErrorObject: { n: found ? 1 : 0 } };
  }
  if (!found) return insertMissing(store, { ...modification, update });
  const { bytes } = updateFound(store, { found, target, update });
  return {
    value: modification.wantsNew ? bytes : found.bytes,
    lastErrorObject: { n: 1, updatedExisting: true },
  };
}

function insertMissing(store: Store, modification: Modification & { update: Update }): Modified {
  if (!modification.upsert) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } };
  const { id, bytes } = upsert(store, modification);
  return {
    value: modification.wantsNew ? bytes : null,
    lastErrorObject: { n: 1, updatedExisting: false, upserted: id },
  };
}
