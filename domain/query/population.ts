import { invalidRequest } from '../errors.ts';
import type { Population } from './tree.ts';

const MAX_FIELDS = 20;

/** Parses `<field>:<f1>|<f2>,<field2>` (spec 9.6). Does not check that fields are references. */
export function parsePopulations(value: string): Population[] {
  const populations = value.split(',').map(parsePopulation);
  if (populations.length > MAX_FIELDS) throw invalidRequest('populate', `takes ${MAX_FIELDS} fields at most`);
  const paths = populations.map(({ path }) => path);
  const repeated = paths.find((path, at) => paths.indexOf(path) < at);
  if (repeated !== undefined) throw invalidRequest('populate', `must not repeat "${repeated}"`);
  return populations;
}

function parsePopulation(text: string): Population {
  const [path = '', picks, ...more] = text.split(':');
  const fields = picks?.split('|') ?? [];
  if (path === '' || more.length > 0 || fields.includes('')) {
    throw invalidRequest('populate', `"${text}" is not a field, or a field, ":" and fields with "|" between`);
  }
  return { path, fields };
}

export function textsAt(value: unknown, path: string): string[] {
  const texts = new Set<string>();
  replaceAt(value, path, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts];
}

/** Replaces the texts at a path, through lists. Does not mutate `value`. */
export function replaceAt(value: unknown, path: string, replace: (text: string) => unknown): unknown {
  return replaceSteps(value, path.split('.'), replace);
}

function replaceSteps(value: unknown, steps: string[], replace: (text: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => replaceSteps(member, steps, replace));
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === 'string' ? replace(value) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: replaceSteps((value as Record<string, unknown>)[step], rest, replace) };
}
