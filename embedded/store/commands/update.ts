import type { Doc, Value } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { Found } from '../query/read.ts';
import type { Update } from '../update/update.ts';
import { parseUpdate } from '../update/update.ts';
import { refuseOptions } from './find.ts';
import type { WriteError } from './insert.ts';
import { checkCount, withErrors, writeError } from './insert.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, docsOf, flagOf, namespaceOf } from './request.ts';
import type { Target } from './write.ts';
import { refreshed, targets, updateFound, upsert } from './write.ts';

/** How many documents of one statement change in one transaction, so that a large one lets others through. */
export const CHUNK = 500;

const STATEMENT_FIELDS = ['q', 'u', 'multi', 'upsert', 'hint', 'arrayFilters', 'collation', 'c', 'sort'];

interface Tally {
  matched: number;
  modified: number;
  upserted: { index: number; _id: Value }[];
  errors: WriteError[];
}

interface Statement {
  target: Target;
  update: Update;
  multi: boolean;
  upsert: boolean;
  index: number;
}

export async function update(store: Store, request: Request): Promise<Answer> {
  checkFields(request, ['updates', 'ordered', 'bypassDocumentValidation', 'let']);
  refuseOptions(request.body, ['let']);
  const namespace = namespaceOf(request);
  const ordered = !request.body.has('ordered') || flagOf(request.body, 'ordered');
  const specs = docsOf(request, 'updates');
  checkCount(specs.length);
  const tally: Tally = { matched: 0, modified: 0, upserted: [], errors: [] };
  for (const [index, spec] of specs.entries()) {
    try {
      const statement = readStatement({ spec, namespace, index });
      await runStatement(store, { statement, tally });
    } catch (error) {
      tally.errors.push(writeError(index, error));
      if (ordered) break;
    }
  }
  const upserted = tally.upserted.length > 0 ? { upserted: tally.upserted } : {};
  const n = tally.matched + tally.upserted.length;
  return withErrors({ n, nModified: tally.modified, ...upserted, ok: 1 }, tally.errors);
}

export function refuseUnknown(
  spec: Doc,
  { allowed, command }: { allowed: readonly string[]; command: string },
): void {
  for (const name of spec.keys()) {
    if (!allowed.includes(name))
      throw new StoreError('Location40415', `BSON field '${command}.${name}' is an unknown field.`);
  }
}

function readStatement({
  spec,
  namespace,
  index,
}: {
  spec: Doc;
  namespace: string;
  index: number;
}): Statement {
  refuseUnknown(spec, { allowed: STATEMENT_FIELDS, command: 'update.updates' });
  refuseOptions(spec, ['collation', 'c']);
  const parsed = parseUpdate(spec.get('u'), spec.get('arrayFilters'));
  const multi = flagOf(spec, 'multi');
  if (multi && parsed.isReplacement)
    throw new StoreError('FailedToParse', 'multi update is not supported for replacement-style update');
  return {
    target: {
      namespace,
      filter: compileFilter(spec.get('q')),
      hint: spec.get('hint'),
      sort: spec.get('sort'),
    },
    update: parsed,
    multi,
    upsert: flagOf(spec, 'upsert'),
    index,
  };
}

/** The first transaction finds the documents and changes as many as one may; the others change the rest, each checked again. */
async function runStatement(
  store: Store,
  { statement, tally }: { statement: Statement; tally: Tally },
): Promise<void> {
  let rest: Found[] = [];
  const first = await store.environment.write(() => {
    const found = targets(store, { target: statement.target, limit: statement.multi ? Infinity : 1 });
    rest = found.slice(CHUNK);
    return changeAll(store, { statement, found: found.slice(0, CHUNK), mayInsert: true });
  });
  count(tally, first);
  for (let at = 0; at < rest.length; at += CHUNK) {
    const found = rest.slice(at, at + CHUNK);
    count(tally, await store.environment.write(() => changeRest(store, { statement, found })));
  }
}

type Outcome = Pick<Tally, 'matched' | 'modified' | 'upserted'> & { refused: unknown };

function changeRest(store: Store, { statement, found }: { statement: Statement; found: Found[] }): Outcome {
  const still = found
    .map((one) => refreshed(store, { found: one, target: statement.target }))
    .filter((one) => one !== undefined);
  return changeAll(store, { statement, found: still, mayInsert: false });
}

/** A refusal keeps what was changed before it: as on a real server an update of many is atomic for each document only. */
function changeAll(
  store: Store,
  { statement, found, mayInsert }: { statement: Statement; found: Found[]; mayInsert: boolean },
): Outcome {
  const outcome: Outcome = { matched: 0, modified: 0, upserted: [], refused: undefined };
  const { target, update: change, index } = statement;
  try {
    if (found.length === 0 && mayInsert && statement.upsert) {
      outcome.upserted.push({ index, _id: upsert(store, { target, update: change }).id });
    }
    for (const one of found) {
      const changed = updateFound(store, { found: one, target, update: change });
      outcome.matched++;
      if (changed.modified) outcome.modified++;
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    outcome.refused = error;
  }
  return outcome;
}

function count(tally: Tally, outcome: Outcome): void {
  tally.matched += outcome.matched;
  tally.modified += outcome.modified;
  tally.upserted.push(...outcome.upserted);
  if (outcome.refused instanceof StoreError) throw outcome.refused;
}
