/** A statement, the documents it runs on, and the result of the built-in store. */
export interface Asked {
  given: readonly Record<string, unknown>[];
  filter: object;
  sort?: object;
  update?: object;
  answer: string;
}

/** The result of a statement that an engine refuses. */
export const REFUSED = 'refused';

const says = (statement: object | undefined, pattern: RegExp) =>
  pattern.test(JSON.stringify(statement ?? {}));
/** Returns the top-level fields of dotted paths. */
const rootsOfPaths = (statement: object | undefined) =>
  [...JSON.stringify(statement ?? {}).matchAll(/"(\w+)\.[^"]*":/g)].map(([, root]) => root ?? '');
const isDocument = (value: unknown) => value?.constructor === Object;
const isArrayOfOthers = (value: unknown) =>
  Array.isArray(value) && (value.length === 0 || !value.every(isDocument));

/**
 * Statements for which both independent engines differ from the built-in store, and MongoDB agrees
 * with the store (docs/decisions/engines.md). Any other result that only the store returns is a bug
 * of the store.
 */
export const BOTH_OTHERS_ARE_WRONG: Record<string, (asked: Asked) => boolean> = {
  'nothing below an array of values is null or missing': ({ given, filter }) =>
    rootsOfPaths(filter).some((root) => given.some((one) => isArrayOfOthers(one[root]))),
  'a number in a path also names a field of the documents in an array': ({ filter }) => says(filter, /\.\d/),
  '$elemMatch of fields looks at documents': ({ given, filter }) =>
    says(filter, /\$elemMatch/) && given.some((one) => Object.values(one).some(isArrayOfOthers)),
  'two arrays cannot be sorted by': ({ given, sort, answer }) => {
    const roots = Object.keys(sort ?? {}).map((path) => path.split('.')[0] ?? '');
    const arrays = (one: Record<string, unknown>) => roots.filter((root) => Array.isArray(one[root]));
    return answer === REFUSED && given.some((one) => new Set(arrays(one)).size > 1);
  },
  'below an array, a sort takes what is no document for null': ({ given, sort }) =>
    rootsOfPaths(sort).some((root) => given.some((one) => Array.isArray(one[root]))),
  '$pull refuses a path that cannot be': ({ update, answer }) =>
    answer === REFUSED && says(update, /\$pull"/),
  'a number that becomes one of another type is changed': ({ update }) => says(update, /\$inc"/),
  '$push slices after it has put in, from the end too': ({ update }) => says(update, /\$slice/),
};

/**
 * Titles of cases of the built-in store that fail on both independent engines, each with the
 * MongoDB behaviour that the store follows.
 */
export const CASES_ON_NEITHER: readonly (readonly [title: RegExp, why: string])[] = [
  [/^find find (sorts by a field below|refuses a sort by two)/, 'keys of arrays are those of an index'],
  [/^find find returns batches/, 'a batch of a negative size is refused'],
  [
    /^a filter .*'(two conditions|a numeric step)/,
    'an array is compared as a whole and by its elements, with and without an index',
  ],
  [/^a filter .*'a decimal/, 'numbers of all types are compared exactly'],
  [/^a query .* a conjunction$/, 'explain names the index of a compound key'],
  [/^indexes a compound index refuses a document with arrays/, 'errors of indexes have their codes'],
  [
    /^an update .*(\$set of several fields|adds numeric fields)/,
    'fields are added in the order of their names',
  ],
  [/^an update .*\$\[name\]/, 'elements are chosen before any is changed'],
  [
    /^an update .*(\$pull by a path through a list|a positional \$|\$rename|\$addToSet|\$sort of a \$push) is refused/,
    'a path or an operand that cannot be is refused',
  ],
];
