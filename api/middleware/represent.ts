import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { etagForCoding, matchesIfNoneMatch } from '../pipeline/etag.ts';

const MIN_BYTES = 1024;
/** A text that waits to be taken costs up to six times its bytes: what is longer waits as bytes. */
const MAX_WAITING_TEXT = 64 * 1024;
const COMPRESSIBLE = /json|text|javascript|xml/;
// What shows a secret is not compressed: its length would tell of it to whoever can have something
// else put beside it.
const NOT_COMPRESSIBLE = /no-store|no-transform/;

const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

// Levels at which JSON shrinks to a sixth already; more costs twice the time for a hundredth.
// Neither runs on the main thread.
const COMPRESS: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: (body) => promisify(gzip)(body, { level: 3 }),
};

/**
 * Sends an answer in the form that suits the caller: compressed where they take that and it is 1
 * KiB or more, without a body (304) where they have it already (spec 2). Streams pass as they are.
 */
export function represent(): Middleware {
  return async (ctx, next) => {
    await next();
    const body: unknown = ctx.body;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
    const etag = getHeader(ctx, 'etag');
    const coding = chooseCoding(ctx);
    if (isKnown(ctx, coding && etag ? etagForCoding(etag, coding) : etag)) ctx.status = 304;
    else if (coding) await compress(ctx, { body, coding, etag });
    else if (typeof body === 'string' && body.length > MAX_WAITING_TEXT) ctx.body = Buffer.from(body);
  };
}

function chooseCoding(ctx: Context): Coding | undefined {
  const { length, type } = ctx.response;
  if (length < MIN_BYTES || !COMPRESSIBLE.test(type)) return undefined;
  if (NOT_COMPRESSIBLE.test(getHeader(ctx, 'cache-control'))) return undefined;
  ctx.vary('Accept-Encoding');
  const accepted = ctx.acceptsEncodings(...CODINGS, 'identity');
  return CODINGS.find((coding) => coding === accepted);
}

/** A header of the answer; empty without it. */
function getHeader({ response }: Context, name: string): string {
  const value = response.headers[name];
  return typeof value === 'string' ? value : '';
}

function isKnown(ctx: Context, etag: string): boolean {
  const isRead = ['GET', 'HEAD'].includes(ctx.method) && ctx.status === 200;
  if (!isRead || etag === '' || !matchesIfNoneMatch(ctx.get('If-None-Match'), etag)) return false;
  ctx.set('ETag', etag);
  return true;
}

async function compress(
  ctx: Context,
  { body, coding, etag }: { body: string | Buffer; coding: Coding; etag: string },
): Promise<void> {
  const compressed = Buffer.isBuffer(body)
    ? compressedFile(body, coding)
    : COMPRESS[coding](Buffer.from(body));
  // What cannot be compressed, for want of memory, is sent as it is.
  const smaller = await compressed.catch(() => undefined);
  if (!smaller) return;
  ctx.body = smaller;
  ctx.set('Content-Encoding', coding);
  if (etag !== '') ctx.set('ETag', etagForCoding(etag, coding));
}

/** The files of pages are the same each time, and compressed once. */
const files = new WeakMap<Buffer, Partial<Record<Coding, Promise<Buffer>>>>();

function compressedFile(file: Buffer, coding: Coding): Promise<Buffer> {
  const known = files.get(file) ?? {};
  files.set(file, known);
  return (known[coding] ??= COMPRESS[coding](file));
}

/**
 * Answers with a value as JSON. It is written down here and now: where that fails, the errors'
 * middleware is still there to say so.
 */
export function respondWithJson(ctx: Context, value: unknown): void {
  ctx.type = 'json';
  ctx.body = JSON.stringify(value);
}

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
