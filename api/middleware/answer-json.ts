import type { Context } from 'koa';

/**
 * Answers with a value as JSON. It is written down here and now: where that fails, the errors'
 * middleware is still there to say so.
 */
export function respondWithJson(ctx: Context, value: unknown): void {
  ctx.type = 'json';
  ctx.body = JSON.stringify(value);
}
