import jsonata from 'jsonata';

export const STATIC_FUNCTIONS: readonly string[] = [
  'sum count max min average string substring substringBefore substringAfter lowercase',
  'uppercase length trim pad match contains replace split join formatNumber formatBase',
  'formatInteger parseInteger number floor ceil round abs sqrt power random boolean not map zip',
  'filter single reduce sift keys lookup append exists spread merge reverse each error assert',
  'type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl',
  'decodeUrlComponent decodeUrl eval toMillis fromMillis clone',
].flatMap((names) => names.split(' '));

const PROTOTYPES = [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  RegExp,
  Promise,
  Date,
  Error,
  Map,
  Set,
].map(({ prototype }): object => prototype as object);

const FIXED = { writable: false, configurable: false };
const NOTED = { value: undefined, writable: true, enumerable: false, configurable: false };

/**
 * Freezes shared values: the transform operator can write into any value, also `$sum`, and the next
 * expression may belong to another tenant.
 */
export async function freezeShared(): Promise<void> {
  for (const name of STATIC_FUNCTIONS) freezeFunction(await jsonata(`$${name}`).evaluate(null, {}));
  // All function chains (`~>`) share one syntax tree.
  const chained = (await jsonata('$trim ~> $length').evaluate(null, {})) as Record<string, unknown>;
  freezeDeep(chained['body']);
  freezeDeep(chained['arguments']);
  // Frozen prototypes would forbid fields named like their methods.
  for (const prototype of PROTOTYPES) Object.preventExtensions(prototype);
}

// Leaves `token` and `position` writable: JSONata stores its last call there, for errors.
function freezeFunction(value: unknown): void {
  const shared = value as Record<string, unknown>;
  Object.values(shared).forEach(freezeDeep);
  for (const field of Object.keys(shared)) Object.defineProperty(shared, field, FIXED);
  for (const field of ['token', 'position']) Object.defineProperty(shared, field, NOTED);
  Object.preventExtensions(shared);
}

function freezeDeep(value: unknown): void {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (!isObject || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}
