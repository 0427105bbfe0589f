// Describes the shape of a MongoDB statement: its command, collection, options and operators,
// without the field names and values that callers choose.

/**
 * Fields of a command that do not belong to the statement, such as the session and the write
 * concern.
 */
const ENVELOPE = new Set([
  'lsid',
  'txnNumber',
  '$db',
  '$clusterTime',
  '$readPreference',
  'apiVersion',
  'writeConcern',
  'readConcern',
  'maxTimeMS',
]);

/** Options whose value belongs to the shape. */
const TELLING = new Set(['hint', 'new', 'upsert', 'multi', 'remove', 'ordered', 'limit']);

const isPlain = (value) =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/**
 * Returns the lines for a command: one line per statement in the command, and one line per operator
 * of its filters. Operators have separate lines because they combine freely and mean the same in
 * every command. Repeated lines are removed.
 */
export function describeCommand(command) {
  const [name] = Object.keys(command);
  const of = SHAPES[name];
  if (of === undefined) return [name];
  return [
    ...new Set(of(command).flatMap(({ shape, filter }) => linesFor(name, command[name], shape, filter))),
  ];
}

function linesFor(name, collection, shape, filter) {
  const operators = [...operatorsIn(filter)].map((operator) => `filter ${operator}`);
  return [shape === '' ? `${name} ${collection}` : `${name} ${collection}: ${shape}`, ...operators];
}

const SHAPES = {
  find: ({ find: _, filter, ...rest }) => [{ filter, shape: options(rest) }],
  count: ({ count: _, query, ...rest }) => [{ filter: query, shape: options(rest) }],
  distinct: ({ distinct: _, query, ...rest }) => [{ filter: query, shape: options(rest) }],
  insert: ({ insert: _, documents: __, ...rest }) => [{ shape: options(rest) }],
  update: ({ update: _, updates, ...rest }) =>
    statementsIn(updates).map(({ q, u, ...own }) => ({
      filter: q,
      shape: listed(change(u), options(own), options(rest)),
    })),
  delete: ({ delete: _, deletes, ...rest }) =>
    statementsIn(deletes).map(({ q, ...own }) => ({ filter: q, shape: listed(options(own), options(rest)) })),
  findAndModify: ({ findAndModify: _, query, update, ...rest }) => [
    { filter: query, shape: listed(update === undefined ? '' : change(update), options(rest)) },
  ],
  aggregate: ({ aggregate: _, pipeline, cursor: __, ...rest }) => [
    {
      filter: pipeline.map((stage) => stage.$match),
      shape: listed(describePipeline(pipeline), options(rest)),
    },
  ],
  createIndexes: ({ createIndexes: _, indexes, ...rest }) =>
    indexes.map(({ key, name: __, v: ___, ...own }) => ({
      shape: listed(JSON.stringify(describeKeys(key)), index(own), options(rest)),
    })),
};

/** Returns the statements of a command. A bulk write contains them as a sequence of documents. */
const statementsIn = (given) => given.documents ?? given;

const listed = (...parts) => parts.filter((part) => part !== '').join(', ');

/** Describes the options of a statement: all names, and the values that belong to the shape. */
function options(given) {
  const names = Object.keys(given).filter((name) => !ENVELOPE.has(name) && given[name] !== undefined);
  return names
    .sort()
    .map((name) => option(name, given[name]))
    .filter((words) => words !== '')
    .join(', ');
}

function option(name, value) {
  if (name === 'sort') return 'sort';
  if (name === 'projection' || name === 'fields') {
    return Object.keys(value).length === 0 ? '' : `projection of ${projection(value)}`;
  }
  if (name === 'arrayFilters') return `arrayFilters ${[...operatorsIn(value)].join(' ')}`.trim();
  if (name === 'limit') return Math.abs(value) === 1 ? `limit ${value}` : value === 0 ? '' : 'limit';
  return TELLING.has(name) ? `${name} ${JSON.stringify(value)}` : name;
}

/** Describes a projection: included or excluded fields, and operators. */
function projection(value) {
  const kinds = Object.entries(value).map(([name, kind]) => {
    if (isPlain(kind)) return [...operatorsIn(kind)].join(' ');
    return name === '_id' && !kind ? 'no _id' : kind ? 'fields' : 'all but fields';
  });
  return [...new Set(kinds)].sort().join(' and ');
}

/** Describes an update: operators with their modifiers, a pipeline, or a replacement. */
function change(update) {
  if (Array.isArray(update)) return `pipeline ${describePipeline(update)}`;
  const names = Object.keys(update).sort();
  if (!names.some((name) => name.startsWith('$'))) return 'replacement';
  return names.map((name) => `${name}${modifiers(name, update[name])}`).join(' ');
}

/**
 * Operators whose operand may contain modifiers. The operands of all other operators are values.
 */
const MODIFIED = new Set(['$push', '$addToSet', '$pull', '$bit', '$currentDate']);

function modifiers(name, operand) {
  if (!MODIFIED.has(name)) return '';
  const inside = Object.values(operand).filter(isPlain).flatMap(Object.keys);
  const found = new Set(inside.filter((name) => name.startsWith('$')));
  return found.size === 0 ? '' : `(${[...found].sort().join(' ')})`;
}

/**
 * Returns the stages of a pipeline in order. Each stage except `$match` has the operators in its
 * expressions.
 */
function describePipeline(stages) {
  return stages
    .map((stage) => {
      const [name] = Object.keys(stage);
      const inside = name === '$match' ? [] : [...operatorsIn(stage[name])];
      return inside.length === 0 ? name : `${name}(${inside.join(' ')})`;
    })
    .join(' | ');
}

/** Converts index keys to an object. The driver sends them as a map, to keep their order. */
const describeKeys = (key) => (key instanceof Map ? Object.fromEntries(key) : key);

function index({ partialFilterExpression, ...rest }) {
  const partial = partialFilterExpression ? `where ${JSON.stringify(partialFilterExpression)}` : '';
  return listed(Object.keys(rest).sort().join(', '), partial);
}

/** Returns the operators below a value, sorted. Values in `$literal` are skipped. */
function operatorsIn(value) {
  const found = new Set();
  const walk = (one) => {
    if (Array.isArray(one)) one.forEach(walk);
    else if (one instanceof RegExp || one?._bsontype === 'BSONRegExp') found.add('$regex');
    else if (isPlain(one)) {
      for (const [name, inner] of Object.entries(one)) {
        if (name.startsWith('$')) found.add(name);
        if (name !== '$literal') walk(inner);
      }
    }
  };
  walk(value);
  return [...found].sort();
}
