import type { Middleware } from 'koa';

/** Answers of logins hold tokens, and the address of a contact's page is a key itself. */
const SECRET_PATHS = /^\/(v2\/auth|c)(\/|$)/;

/** For what shows a secret (spec 2): nothing keeps it. Such an answer is not compressed either. */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const;

/**
 * Says of every answer, refusals included, that only the caller's own cache may keep it, and has to
 * ask each time whether it still holds; of what shows a secret, that nothing may keep it (spec 2).
 * What comes later may say otherwise.
 */
export function cacheControl(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'private, no-cache');
    if (SECRET_PATHS.test(ctx.path)) ctx.set(NO_STORE);
    return next();
  };
}
