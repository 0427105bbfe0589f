import fc from 'fast-check';

/**
 * A random record. This file evaluates its values without the parser and the filters of the
 * product.
 */
export interface Sample {
  _id: string;
  name?: string | null;
  n?: number | null;
  flag?: boolean;
  at?: Date;
  kind?: string;
  tags?: string[];
  meta?: Record<string, unknown>;
  people?: { user: string; count?: number | null; roles?: string[] }[];
}

export const KINDS = ['red', 'green', 'blue'];
export const IDS = ['a1', 'b2', 'c3'].map((id) => id.padEnd(24, '0'));
export const DAYS = [
  '2026-01-01',
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T05:04:05.678+02:00',
  '2026-03-04T00:00',
];
export const instants = [
  '2026-01-01T00:00:00Z',
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05.678Z',
  '2026-03-04T00:00:00Z',
];

const unit = fc.constantFrom(
  'a',
  'b',
  'B',
  '>',
  '=',
  '!',
  '~',
  '[',
  '{',
  'é',
  '😀',
  '\uffee',
  '%',
  '&',
  '+',
  '$',
  '.',
);
export const text = fc.string({ unit, minLength: 1, maxLength: 3 });
export const number = fc.constantFrom(-1, 0, 0.5, 1, 2, 10);
const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const nullable = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: fc.constant(null) });

const person = fc.record({
  user: fc.constantFrom(...IDS),
  count: option(nullable(number)),
  roles: option(fc.array(text, { maxLength: 2 })),
});

export const record: fc.Arbitrary<Sample> = fc
  .record({
    _id: fc.constantFrom(...IDS),
    name: option(nullable(text)),
    n: option(nullable(number)),
    flag: option(fc.boolean()),
    at: option(fc.constantFrom(...instants).map((at) => new Date(at))),
    kind: option(fc.constantFrom(...KINDS)),
    tags: option(fc.array(text, { maxLength: 3 })),
    meta: option(
      fc.record({
        k: fc.oneof(text, number, fc.boolean(), fc.constantFrom('1', 'true')),
        in: option(fc.record({ x: number })),
      }),
    ),
    people: option(fc.array(person, { maxLength: 3 })),
  })
  .map((fields) => withoutUndefined(fields) as Sample);

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutUndefined(member)]));
}

/** Returns every value at a dotted path, through lists. A list at the end yields its elements. */
export function leaves(value: unknown, steps: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((member) => leaves(member, steps));
  const [step, ...rest] = steps;
  if (step === undefined) return value === undefined || value === null ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return leaves((value as Record<string, unknown>)[step], rest);
}

export function order(left: unknown, right: unknown): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    const [one, other] = [left, right].map((side) =>
      Array.from(side, (c) => (c.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join(''),
    );
    return one! < other! ? -1 : Number(one! > other!);
  }
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  return undefined;
}

export const same = (left: unknown, right: unknown) => order(left, right) === 0 || left === right;
