import type { Doc, Value } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { Found } from '../query/read.ts';
import type { Update } from '../update/update.ts';
import { parseUpdate } from '../update/update.ts';
import { refuseOptions } from './find.ts';
import type { WriteError } from './insert.ts';
import { CHUNK, checkCount, withErrors, writeError } from './insert.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, docsOf, flagOf, namespaceOf, refuseUnknown } from './request.ts';
import type { Target } from './target.ts';
import { isLongSearch, searchKeys } from './search.ts';
import { changeOne, refreshed, targets, updateFound, upsert } from './write.ts';

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
  for (let at = 0; at < specs.length && !(ordered && tally.errors.length > 0);) {
    const statements = statementsFrom(store, { specs, at, namespace });
    at += statements.length;
    await runTogether(store, { statements, tally, ordered });
  }
  const upserted = tally.upserted.length > 0 ? { upserted: tally.upserted } : {};
  const n = tally.matched + tally.upserted.length;
  return withErrors({ n, nModified: tally.modified, ...upserted, ok: 1 }, tally.errors);
}

/**
 * The statements from `at` on that can share a transaction; one that changes many documents, or
 * searches long, is alone.
 */
function statementsFrom(
  store: Store,
  { specs, at, namespace }: { specs: readonly Doc[]; at: number; namespace: string },
): Read[] {
  const statements: Read[] = [];
  for (let index = at; index < specs.length && statements.length < CHUNK; index++) {
    const read = tryToRead(store, { spec: specs[index] ?? new Map<string, Value>(), namespace, index });
    const isAlone = 'statement' in read && read.isAlone;
    if (isAlone && statements.length > 0) return statements;
    statements.push(read);
    if (isAlone) return statements;
  }
  return statements;
}

type Read = { statement: Statement; isAlone: boolean } | { refusal: WriteError };

function tryToRead(store: Store, sent: { spec: Doc; namespace: string; index: number }): Read {
  try {
    const statement = readStatement(sent);
    return { statement, isAlone: statement.multi || isLongSearch(store, statement.target) };
  } catch (error) {
    return { refusal: writeError(sent.index, error) };
  }
}

interface Running {
  statements: readonly Read[];
  tally: Tally;
  ordered: boolean;
}

async function runTogether(store: Store, { statements, tally, ordered }: Running): Promise<void> {
  const [first] = statements;
  if (first && 'statement' in first && first.isAlone) {
    const { statement } = first;
    await runAlone(store, { statement, tally }).catch((error: unknown) => {
      tally.errors.push(writeError(statement.index, error));
    });
    return;
  }
  const outcomes = await store.environment.write(() => {
    const done: Outcome[] = [];
    for (const read of statements) {
      const outcome = 'refusal' in read ? refusedWith(read.refusal) : runStatement(store, read.statement);
      done.push(outcome);
      if (outcome.error && ordered) break;
    }
    return done;
  });
  for (const outcome of outcomes) count(tally, outcome);
}

function runStatement(store: Store, statement: Statement): Outcome {
  try {
    const found = targets(store, { target: statement.target, limit: 1 });
    return changeAll(store, { statement, found, mayInsert: true });
  } catch (error) {
    return refusedWith(writeError(statement.index, error));
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

/**
 * Finds the documents while others are served, and changes them in transactions that check each
 * again.
 */
async function runAlone(
  store: Store,
  { statement, tally }: { statement: Statement; tally: Tally },
): Promise<void> {
  const { target, multi } = statement;
  if (!multi) {
    const change = (found: Found | undefined): Outcome =>
      changeAll(store, { statement, found: found ? [found] : [], mayInsert: true });
    count(tally, await changeOne(store, { target, change }));
    return;
  }
  const keys = await searchKeys(store, { target, limit: Infinity });
  if (keys.length === 0) {
    const none = { statement, found: [], mayInsert: true };
    count(tally, await store.environment.write(() => changeAll(store, none)));
    return;
  }
  for (let at = 0; at < keys.length; at += CHUNK) {
    const chunk = keys.slice(at, at + CHUNK);
    const outcome = await store.environment.write(() => {
      const still = chunk.map((key) => refreshed(store, { key, target })).filter((one) => one !== undefined);
      return changeAll(store, { statement, found: still, mayInsert: false });
    });
    count(tally, outcome);
    if (outcome.error) return;
  }
}

type Outcome = Pick<Tally, 'matched' | 'modified' | 'upserted'> & { error: WriteError | undefined };

function refusedWith(error: WriteError): Outcome {
  return { matched: 0, modified: 0, upserted: [], error };
}

/**
 * A refusal keeps what was changed before it: as on a real server an update of many is atomic for
 * each document only.
 */
function changeAll(
  store: Store,
  { statement, found, mayInsert }: { statement: Statement; found: Found[]; mayInsert: boolean },
): Outcome {
  const outcome: Outcome = { matched: 0, modified: 0, upserted: [], error: undefined };
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
    outcome.error = writeError(index, error);
  }
  return outcome;
}

function count(tally: Tally, outcome: Outcome): void {
  tally.matched += outcome.matched;
  tally.modified += outcome.modified;
  tally.upserted.push(...outcome.upserted);
  if (outcome.error) tally.errors.push(outcome.error);
}
