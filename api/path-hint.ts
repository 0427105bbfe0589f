import { suggestionFor } from '../domain/suggestion.ts';
import type { Route } from './route.ts';

/**
 * What was probably meant by a path that nothing is at, as the end of a sentence: paths of the
 * route table alone, which everybody may read.
 */
export function pathHint(path: string, routes: readonly Pick<Route, 'path'>[]): string {
  const steps = path.replace(/\/+$/, '').split('/').slice(1);
  const below = steps[0]?.toLowerCase() === 'v2' ? steps.slice(1) : steps;
  const meant = routes.flatMap((row) => matchTemplate(below, row.path.split('/').slice(1)) ?? []);
  const best = meant.sort((a, b) => a.changed - b.changed)[0];
  return best ? `did you mean /v2/${best.steps.join('/')}?` : '/docs shows what there is.';
}

interface TemplateMatch {
  steps: string[];
  /** How many steps are others than was written. */
  changed: number;
}

function matchTemplate(written: readonly string[], template: readonly string[]): TemplateMatch | undefined {
  if (written.length !== template.length) return undefined;
  const steps = template.map((step, at) => {
    const given = written[at] ?? '';
    if (step.startsWith(':')) return given.length <= 64 ? given : undefined;
    return step === given || suggestionFor(given, [step]) !== undefined || matchesSingular(given, step)
      ? step
      : undefined;
  });
  const known = steps.filter((step) => step !== undefined);
  if (known.length < steps.length || known.every((_, at) => template[at]?.startsWith(':'))) return undefined;
  return { steps: known, changed: known.filter((step, at) => step !== written[at]).length };
}

/** `message` for `messages`. */
function matchesSingular(given: string, step: string): boolean {
  return `${given}s` === step;
}
