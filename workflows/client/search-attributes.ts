import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contract.ts';
import type { SearchAttribute } from '../contract.ts';
import { getGrpcCode } from './retry-until.ts';

/**
 * The server's types, by the name that its command line has for them; the first one is asked for.
 * A text takes keywords, too.
 */
const TYPES = { Keyword: [2, 1], Int: [3], Bool: [5], KeywordList: [7] } as const;

/**
 * What each attribute is. All together they stay below what a namespace on SQL holds: ten keywords,
 * and three of each other type.
 */
export const SEARCH_ATTRIBUTE_TYPES: Record<SearchAttribute, keyof typeof TYPES> = {
  status: 'Keyword',
  organization: 'Keyword',
  organizationPath: 'KeywordList',
  contact: 'Keyword',
  category: 'Keyword',
  touchpoint: 'Keyword',
  blocked: 'Bool',
  pendingDelays: 'Int',
  failing: 'KeywordList',
};

const ALREADY_EXISTS = 6;
/**
 * PERMISSION_DENIED, UNIMPLEMENTED: a server whose operators are others, such as Temporal Cloud.
 */
const NOT_OURS = [7, 12];
/** These, and INVALID_ARGUMENT: the namespace has no room for one more of the type. */
const REFUSALS = [3, ...NOT_OURS];

const LEFT_OUT =
  'the namespace lacks search attributes, which are left out. Make them and start the worker anew';

/** What this needs of a connection. */
export interface OperatorConnection {
  operatorService: Pick<Connection['operatorService'], 'listSearchAttributes' | 'addSearchAttributes'>;
}

interface NamespaceContext {
  namespace: string;
  log: { warn: (message: string) => void };
}

/**
 * Makes sure that the namespace knows the search attributes (spec 11.2), and answers those that it
 * has. What is missing and cannot be added is left out, with one warning that says how it is made;
 * where one may not even look, all are taken to be there.
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
        `cannot see whether the namespace has its search attributes: ${commandFor(names, { namespace })}`,
      );
      return null;
    },
  );
}

// A value of another type would fail the task of a workflow, again and again.
function isUsable(known: Record<string, number | null>, name: SearchAttribute): boolean {
  const types: readonly unknown[] = TYPES[SEARCH_ATTRIBUTE_TYPES[name]];
  return types.includes(known[SEARCH_ATTRIBUTES[name]]);
}

// One that does not fit in, on a namespace that is nearly full, does not keep out the others.
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
    // Another worker that starts now was faster.
    if (getGrpcCode(error) === ALREADY_EXISTS) return true;
    if (REFUSALS.includes(getGrpcCode(error))) return false;
    throw error;
  }
}

/** What an operator types to make them. */
function commandFor(names: SearchAttribute[], { namespace }: Pick<NamespaceContext, 'namespace'>): string {
  const each = names.map(
    (name) => `--name ${SEARCH_ATTRIBUTES[name]} --type ${SEARCH_ATTRIBUTE_TYPES[name]}`,
  );
  return ['temporal operator search-attribute create --namespace', namespace, ...each].join(' ');
}
