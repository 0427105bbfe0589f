import type { Context, Middleware } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import type { Route } from '../route.ts';
import type { RequestState } from './observe.ts';

export type AnswerPath = (ctx: Context & { state: RequestState }) => Promise<void> | void;

/** Serves GET and HEAD of the paths in `answers`, without token and rate limit. */
export function openPaths(answers: ReadonlyMap<string, AnswerPath>): Middleware<RequestState> {
  return async (ctx, next) => {
    const answer = answers.get(ctx.path.replace(/(?<=.)\/$/, ''));
    if (!answer) {
      await next();
      return;
    }
    ctx.state.pattern = ctx.path;
    if (ctx.method === 'GET' || ctx.method === 'HEAD') {
      await answer(ctx);
      return;
    }
    ctx.set('Allow', 'GET, HEAD');
    if (ctx.method !== 'OPTIONS') {
      throw new DomainError(
        'method_not_allowed',
        `This path does not take ${ctx.method}; it takes GET, HEAD.`,
      );
    }
    ctx.status = 204;
  };
}

type Rows = readonly Pick<Route, 'method' | 'path'>[];

/**
 * Responds 405 with `Allow` if a path without parameters does not support the method (spec 2.4).
 * The router alone would match `/conversations/search` with `/conversations/:id`.
 */
export function fixedPaths(prefix: string, rows: Rows): Middleware {
  const methods = methodsByFixedPath(rows);
  return async (ctx, next) => {
    const path = ctx.path.replace(/\/$/, '');
    const known = path.startsWith(prefix) ? methods.get(path.slice(prefix.length)) : undefined;
    if (!known || known.includes(ctx.method)) {
      await next();
      return;
    }
    ctx.set('Allow', known.join(', '));
    ctx.status = 405;
    if (ctx.method !== 'OPTIONS') return;
    ctx.status = 200;
    ctx.body = '';
  };
}

/** Returns the methods of the fixed paths that also match a route with parameters. */
export function methodsByFixedPath(rows: Rows): ReadonlyMap<string, readonly string[]> {
  const templates = rows.filter(({ path }) => path.includes(':')).map(({ path }) => toPathPattern(path));
  const methods = new Map<string, string[]>();
  for (const { method, path } of rows) {
    if (path.includes(':') || !templates.some((template) => template.test(path))) continue;
    const taken = method === 'GET' ? ['HEAD', 'GET'] : [method];
    methods.set(path, [...(methods.get(path) ?? []), ...taken]);
  }
  return methods;
}

function toPathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
}
