import type { ValueKind, FieldPath } from './tree.ts';

export interface Field {
  kind: ValueKind;
  list: boolean;
}

/** Fields by dotted path. `meta.*` is any key below `meta`. */
export type Paths = ReadonlyMap<string, Field>;

export interface ResolvedField {
  place: FieldPath;
  kind: ValueKind;
}

const MAX_STEPS = 20;
const RESERVED = ['__proto__', 'constructor', 'prototype'];
const INDEX = /^(0|[1-9]\d{0,5})$/;

/** Returns the field at a path. A number after a list selects an element. */
export function findField(paths: Paths, path: string): ResolvedField | undefined {
  const steps = path.split('.');
  if (steps.length > MAX_STEPS) return undefined;
  const lists: string[] = [];
  let known = '';
  let field: Field | undefined;
  let indexed = false;
  for (const [at, step] of steps.entries()) {
    if (field?.list && INDEX.test(step)) {
      field = { ...field, list: false };
      indexed = true;
      continue;
    }
    if (field?.list) lists.push(steps.slice(0, at).join('.'));
    const below: string = known === '' ? step : `${known}.${step}`;
    const next = paths.get(below);
    if (!next) {
      // Free-form fields allow any storable key.
      const open = paths.get(`${known}.*`);
      if (!open || !steps.slice(at).every(isKey)) return undefined;
      return { place: { path, ...listMarks({ lists, list: false, indexed }) }, kind: open.kind };
    }
    known = below;
    field = next;
  }
  if (!field) return undefined;
  return { place: { path, ...listMarks({ lists, list: field.list, indexed }) }, kind: field.kind };
}

function isKey(step: string): boolean {
  return step !== '' && !step.startsWith('$') && !RESERVED.includes(step);
}

function listMarks({ lists, list, indexed }: { lists: string[]; list: boolean; indexed: boolean }) {
  return {
    ...(lists.length > 0 ? { lists } : {}),
    ...(list ? { list } : {}),
    ...(indexed ? { indexed } : {}),
  };
}

/** Returns fields with paths relative to a list's member. */
export function buildMemberPaths(paths: Paths, list: string): Paths {
  const plain = list
    .split('.')
    .filter((step) => !INDEX.test(step))
    .join('.');
  const below = [...paths].filter(([path]) => path.startsWith(`${plain}.`));
  return new Map(below.map(([path, field]) => [path.slice(plain.length + 1), field]));
}

export const FREE_MEMBERS: Paths = new Map([['.*', { kind: 'anything', list: false }]]);
