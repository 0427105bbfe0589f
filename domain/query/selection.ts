import { didYouMean } from '../suggestion.ts';
import { invalidRequest } from '../errors.ts';
import { findField } from './paths.ts';
import type { Paths } from './paths.ts';
import type { Selection } from './tree.ts';

const MAX_FIELDS = 100;

/**
 * Throws DomainError `invalid_request` for unknown fields, or if only some fields have `-` (spec
 * 9.5).
 */
export function parseSelection(value: string, paths: Paths): Selection {
  const items = value.split(',');
  if (items.length > MAX_FIELDS) throw invalidRequest('select', `takes ${MAX_FIELDS} fields at most`);
  const without = items.filter((item) => item.startsWith('-'));
  if (without.length > 0 && without.length < items.length) {
    throw invalidRequest('select', 'must not mix fields to show and fields to leave out');
  }
  const fields = items.map((item) => item.replace(/^-/, ''));
  assertKnownFields(fields, paths, 'select');
  return { kind: without.length > 0 ? 'without' : 'only', paths: fields };
}

export function assertKnownFields(fields: readonly string[], paths: Paths, parameter: string): void {
  const unknown = fields.find((field) => {
    const found = findField(paths, field);
    return !found || found.place.indexed;
  });
  if (unknown !== undefined)
    throw invalidRequest(parameter, `"${unknown}" is not a field${didYouMean(unknown, paths.keys())}`);
}

export function selects(selection: Selection | undefined, field: string): boolean {
  if (!selection) return true;
  if (selection.kind === 'without') return !selection.paths.includes(field);
  return selection.paths.some((path) => path === field || path.startsWith(`${field}.`));
}

type Body = Record<string, unknown>;
/** `undefined` stands for the whole field. */
type FieldTree = Map<string, FieldTree | undefined>;

/** Always keeps `id` and `always` (spec 9.5). */
export function applySelection(body: Body, selection: Selection, always: readonly string[] = []): Body {
  const kept = ['id', ...always];
  if (selection.kind === 'without') {
    return omitFields(body, buildTree(selection.paths.filter((path) => !kept.includes(path)))) as Body;
  }
  return pickFields(body, buildTree([...kept, ...selection.paths])) as Body;
}

function buildTree(paths: readonly string[]): FieldTree {
  const tree: FieldTree = new Map();
  // Shorter paths come first: a field selected whole needs none of its parts.
  for (const path of paths.toSorted((a, b) => a.length - b.length)) insert(tree, path.split('.'));
  return tree;
}

function insert(tree: FieldTree, [step = '', ...rest]: string[]): void {
  if (tree.has(step) && tree.get(step) === undefined) return;
  if (rest.length === 0) {
    tree.set(step, undefined);
    return;
  }
  const inner: FieldTree = tree.get(step) ?? new Map<string, FieldTree | undefined>();
  tree.set(step, inner);
  insert(inner, rest);
}

function pickFields(value: unknown, tree: FieldTree | undefined): unknown {
  if (!tree || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => pickFields(member, tree));
  const entries = Object.entries(value).filter(([key]) => tree.has(key));
  return Object.fromEntries(entries.map(([key, member]) => [key, pickFields(member, tree.get(key))]));
}

function omitFields(value: unknown, tree: FieldTree): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => omitFields(member, tree));
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (!tree.has(key)) return [[key, member]];
    const inner = tree.get(key);
    return inner ? [[key, omitFields(member, inner)]] : [];
  });
  return Object.fromEntries(entries);
}
