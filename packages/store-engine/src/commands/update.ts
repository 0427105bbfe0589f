import type { Doc, Value } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { FoundDocument } from '../query/read.ts';
import type { Update } from '../update/update.ts';
import { parseUpdate } from '../update/update.ts';
import { assertNoUnsupportedOptions } from './find.ts';
import type { WriteError } from './insert.ts';
import { CHUNK, checkCount, withErrors, writeError } from './insert.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseDocuments, parseFlag, parseNamespace, assertKnownFields } from './request.ts';
import type { WriteTarget } from './search.ts';
import { isLongSearch, searchKeys } from './search.ts';
import { changeOne, reloadFound, findTargets, updateFound, upsert } from './write.ts';

const STATEMENT_FIELDS = ['q', 'u', 'multi', 'upsert', 'hint', 'arrayFilters', 'collation', 'c', 'sort'];

interface Tally {
  matched: number;
  modified: number;
  upserted: { index: number; _id: Value }[];
  errors: WriteError[];
}

interface Statement {
  target: WriteTarget;
  update: Update;
  multi: boolean;
  upsert: boolean;
  index: number;
}

export async function update(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, ['updates', 'ordered', 'bypassDocumentValidation', 'let']);
  assertNoUnsupportedOptions(request.body, ['let']);
  const namespace = parseNamespace(request);
  const ordered = !request.body.has('ordered') || parseFlag(request.body, 'ordered');
  const specs = parseDocuments(request, 'updates');
  checkCount(specs.length);
  const tally: Tally = { matched: 0, modified: 0, upserted: [], errors: [] };
  for (let at = 0; at < specs.length && !(ordered && tally.errors.length > 0);) {
    const statements = parseStatementBatch(store, { specs, at, namespace });
    at += statements.length;
    await runTogether(store, { statements, tally, ordered });
  }
  const upserted = tally.upserted.length > 0 ? { upserted: tally.upserted } : {};
  const n = tally.matched + tally.upserted.length;
  return withErrors({ n, nModified: tally.modified, ...upserted, ok: 1 }, tally.errors);
}

/**
 * Collects statements for one transaction. A statement that may change many documents, or needs a
 * long search, runs alone.
 */
function parseStatementBatch(
  store: Store,
  { specs, at, namespace }: { specs: readonly Doc[]; at: number; namespace: string },
): ParsedStatement[] {
  const statements: ParsedStatement[] = [];
  for (let index = at; index < specs.length && statements.length < CHUNK; index++) {
    const read = tryParseStatement(store, {
      spec: specs[index] ?? new Map<string, Value>(),
      namespace,
      index,
    });
    const isAlone = 'statement' in read && read.isAlone;
    if (isAlone && statements.length > 0) return statements;
    statements.push(read);
    if (isAlone) return statements;
  }
  return statements;
}

type ParsedStatement = { statement: Statement; isAlone: boolean } | { refusal: WriteError };

function tryParseStatement(
  store: Store,
  sent: { spec: Doc; namespace: string; index: number },
): ParsedStatement {
  try {
    const statement = parseStatement(sent);
    return { statement, isAlone: statement.multi || isLongSearch(store, statement.target) };
  } catch (error) {
    return { refusal: writeError(sent.index, error) };
  }
}

interface StatementBatch {
  statements: readonly ParsedStatement[];
  tally: Tally;
  ordered: boolean;
}

async function runTogether(store: Store, { statements, tally, ordered }: StatementBatch): Promise<void> {
  const [first] = statements;
  if (first && 'statement' in first && first.isAlone) {
    const { statement } = first;
    await runAlone(store, { statement, tally }).catch((error: unknown) => {
      tally.errors.push(writeError(statement.index, error));
    });
    return;
  }
  const outcomes = await store.environment.write(() => {
    const done: StatementOutcome[] = [];
    for (const read of statements) {
      const outcome = 'refusal' in read ? errorOutcome(read.refusal) : runStatement(store, read.statement);
      done.push(outcome);
      if (outcome.error && ordered) break;
    }
    return done;
  });
  for (const outcome of outcomes) count(tally, outcome);
}

function runStatement(store: Store, statement: Statement): StatementOutcome {
  try {
    const found = findTargets(store, { target: statement.target, limit: 1 });
    return changeAll(store, { statement, found, mayInsert: true });
  } catch (error) {
    return errorOutcome(writeError(statement.index, error));
  }
}

function parseStatement({
  spec,
  namespace,
  index,
}: {
  spec: Doc;
  namespace: string;
  index: number;
}): Statement {
  assertKnownFields(spec, { allowed: STATEMENT_FIELDS, command: 'update.updates' });
  assertNoUnsupportedOptions(spec, ['collation', 'c']);
  const parsed = parseUpdate(spec.get('u'), spec.get('arrayFilters'));
  const multi = parseFlag(spec, 'multi');
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
    upsert: parseFlag(spec, 'upsert'),
    index,
  };
}

async function runAlone(
  store: Store,
  { statement, tally }: { statement: Statement; tally: Tally },
): Promise<void> {
  const { target, multi } = statement;
  if (!multi) {
    const change = (found: FoundDocument | undefined): StatementOutcome =>
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
      const still = chunk
        .map((key) => reloadFound(store, { key, target }))
        .filter((one) => one !== undefined);
      return changeAll(store, { statement, found: still, mayInsert: false });
    });
    count(tally, outcome);
    if (outcome.error) return;
  }
}

type StatementOutcome = Pick<Tally, 'matched' | 'modified' | 'upserted'> & { error: WriteError | undefined };

function errorOutcome(error: WriteError): StatementOutcome {
  return { matched: 0, modified: 0, upserted: [], error };
}

/**
 * Keeps the changes made before an error: as in MongoDB, an update is atomic for each document
 * only.
 */
function changeAll(
  store: Store,
  { statement, found, mayInsert }: { statement: Statement; found: FoundDocument[]; mayInsert: boolean },
): StatementOutcome {
  const outcome: StatementOutcome = { matched: 0, modified: 0, upserted: [], error: undefined };
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

function count(tally: Tally, outcome: StatementOutcome): void {
  tally.matched += outcome.matched;
  tally.modified += outcome.modified;
  tally.upserted.push(...outcome.upserted);
  if (outcome.error) tally.errors.push(outcome.error);
}
