import type { Context, Middleware } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import type { RequestState } from './observe.ts';

/** Handles a GET. HEAD has the same response without the body. */
export type AnswerPath = (ctx: Context & { state: RequestState }) => Promise<void> | void;

/**
 * Serves paths outside /v2 without a token or rate limit. Other methods than GET and HEAD get 405.
 */
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
