import type { Context, Middleware } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import type { RequestState } from './observe.ts';

export type AnswerPath = (ctx: Context & { state: RequestState }) => Promise<void> | void;

/** Serves GET and HEAD of paths outside /v2, without token and rate limit. */
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
