import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contract.ts';
import type { SearchAttribute } from '../contract.ts';
import {
  ALREADY_EXISTS,
  INVALID_ARGUMENT,
  PERMISSION_DENIED,
  UNIMPLEMENTED,
  getGrpcCode,
} from './retry-until.ts';

/**
 * The server's codes. A new attribute gets the first code. An existing text attribute accepts
 * keywords too.
 */
const TYPES = { Keyword: [2, 1], Int: [3], Bool: [5], Datetime: [6], KeywordList: [7] } as const;

/** A namespace on SQL allows ten keyword attributes and three of each other type. */
export const SEARCH_ATTRIBUTE_TYPES: Record<SearchAttribute, keyof typeof TYPES> = {
  status: 'Keyword',
  organization: 'Keyword',
  organizationPath: 'KeywordList',
  contact: 'Keyword',
  category: 'Keyword',
  touchpoint: 'Keyword',
  blocked: 'Bool',
  pendingDelays: 'Int',
  nextTimerAt: 'Datetime',
  overdue: 'Bool',
  snoozedUntil: 'Datetime',
  failing: 'KeywordList',
};

// Temporal Cloud, for example, does not let clients manage search attributes.
const NOT_OURS: (number | undefined)[] = [PERMISSION_DENIED, UNIMPLEMENTED];
// INVALID_ARGUMENT also means that the namespace is full.
const REFUSALS = [INVALID_ARGUMENT, ...NOT_OURS];

const LEFT_OUT =
  'the namespace lacks search attributes, which are left out. Create them and restart the worker';

export interface OperatorConnection {
  operatorService: Pick<Connection['operatorService'], 'listSearchAttributes' | 'addSearchAttributes'>;
}

interface NamespaceContext {
  namespace: string;
  log: { warn: (message: string) => void };
}

/**
 * Registers the search attributes (spec 11.2). Returns the attributes that the namespace has, or
 * all if listing is not permitted. Logs the command that creates missing attributes.
 */
export async function registerSearchAttributes(
  operated: OperatorConnection,
  where: NamespaceContext,
): Promise<SearchAttribute[]> {
  const names = Object.keys(SEARCH_ATTRIBUTES) as SearchAttribute[];
  const known = await listRegistered(operated, where, names);
  if (!known) return names;
  const missing = names.filter((name) => !(SEARCH_ATTRIBUTES[name] in known));
  const added = await addAll(operated, where, missing);
  const there = names.filter((name) => added.includes(name) || isUsable(known, name));
  const left = names.filter((name) => !there.includes(name));
  if (left.length > 0) where.log.warn(`${LEFT_OUT}: ${commandFor(left, where)}`);
  return there;
}

function listRegistered(
  { operatorService }: OperatorConnection,
  { namespace, log }: NamespaceContext,
  names: SearchAttribute[],
) {
  return operatorService.listSearchAttributes({ namespace }).then(
    ({ customAttributes }) => customAttributes,
    (error: unknown) => {
      if (!NOT_OURS.includes(getGrpcCode(error))) throw error;
      log.warn(
        `cannot check whether the namespace has its search attributes: ${commandFor(names, { namespace })}`,
      );
      return null;
    },
  );
}

// A value of another type would fail the workflow task forever.
function isUsable(known: Record<string, number | null>, name: SearchAttribute): boolean {
  const types: readonly unknown[] = TYPES[SEARCH_ATTRIBUTE_TYPES[name]];
  return types.includes(known[SEARCH_ATTRIBUTES[name]]);
}

// If adding all fails, adds each alone: some may fit.
async function addAll(operated: OperatorConnection, where: NamespaceContext, missing: SearchAttribute[]) {
  if (missing.length === 0 || (await add(operated, where, missing))) return missing;
  const added: SearchAttribute[] = [];
  for (const name of missing) if (await add(operated, where, [name])) added.push(name);
  return added;
}

async function add(
  { operatorService }: OperatorConnection,
  { namespace }: NamespaceContext,
  names: SearchAttribute[],
) {
  const typed = names.map((name) => [SEARCH_ATTRIBUTES[name], TYPES[SEARCH_ATTRIBUTE_TYPES[name]][0]]);
  const searchAttributes = Object.fromEntries(typed) as Record<string, number>;
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes });
    return true;
  } catch (error) {
    if (getGrpcCode(error) === ALREADY_EXISTS) return true;
    if (REFUSALS.includes(getGrpcCode(error))) return false;
    throw error;
  }
}

function commandFor(names: SearchAttribute[], { namespace }: Pick<NamespaceContext, 'namespace'>): string {
  const each = names.map(
    (name) => `--name ${SEARCH_ATTRIBUTES[name]} --type ${SEARCH_ATTRIBUTE_TYPES[name]}`,
  );
  return ['temporal operator search-attribute create --namespace', namespace, ...each].join(' ');
}
