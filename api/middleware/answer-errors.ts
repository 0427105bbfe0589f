import type { Context, Middleware } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import { buildErrorResponse, toDomainError } from '../errors.ts';
import { respondWithJson } from './represent.ts';
import type { RequestState } from './observe.ts';
import { suggestionFor } from '../../domain/suggestion.ts';
import type { Route } from '../route.ts';

/** Sends the error responses of spec 2.4. Details of unexpected errors are only logged. */
export function respondToErrors(suggestPath: (path: string) => string): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      assertSingleHost(ctx);
      await next();
      assertRouted(ctx, suggestPath);
    } catch (error) {
      const { status, headers, body } = buildErrorResponse(toDomainError(error));
      ctx.state.code = body.code;
      if (status >= 500) ctx.state.failure = error;
      ctx.status = status;
      ctx.set(headers);
      respondWithJson(ctx, body);
    }
  };
}

// Node.js takes the first Host of several, while a proxy may take another (RFC 9112, 3.2).
function assertSingleHost({ req }: Context): void {
  if (req.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1) {
    throw new DomainError('invalid_request', 'The request has several headers Host; one is expected.');
  }
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    throw new DomainError('invalid_request', 'The request needs the header Host.');
  }
}

// Without a match the router sets no body. It sets Allow if another method matches.
function assertRouted(
  { status, body, path, method, response }: Context,
  suggestPath: (path: string) => string,
): void {
  if (body != null) return;
  if (status === 404) {
    throw new DomainError('not_found', `There is nothing at this path; ${suggestPath(path)}`);
  }
  if (status === 405 || status === 501) {
    const allowed = response.get('Allow');
    throw new DomainError('method_not_allowed', `This path does not take ${method}; it takes ${allowed}.`);
  }
}

export function pathHint(path: string, routes: readonly Pick<Route, 'path'>[]): string {
  const steps = path.replace(/\/+$/, '').split('/').slice(1);
  const below = steps[0]?.toLowerCase() === 'v2' ? steps.slice(1) : steps;
  const meant = routes.flatMap((row) => matchTemplate(below, row.path.split('/').slice(1)) ?? []);
  const best = meant.sort((a, b) => a.changed - b.changed)[0];
  return best ? `did you mean /v2/${best.steps.join('/')}?` : '/docs lists the operations.';
}

interface TemplateMatch {
  steps: string[];
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

function matchesSingular(given: string, step: string): boolean {
  return `${given}s` === step;
}
