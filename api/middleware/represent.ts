import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { etagForCoding, matchesIfNoneMatch } from '../pipeline/response.ts';

const MIN_BYTES = 1024;
/** Longer strings become Buffers: a waiting string takes up to six times its bytes. */
const MAX_WAITING_TEXT = 64 * 1024;
const COMPRESSIBLE = /json|text|javascript|xml/;
// The compressed length could reveal a secret.
const NOT_COMPRESSIBLE = /no-store|no-transform/;

const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

// Higher levels take twice the time to save 1 %. Compression runs off the main thread.
const COMPRESS: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: (body) => promisify(gzip)(body, { level: 3 }),
};

/** Compresses bodies of 1 KiB or more. Responds 304 if the client has the body (spec 2). */
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
  // Compression may fail for lack of memory.
  const smaller = await compressed.catch(() => undefined);
  if (!smaller) return;
  ctx.body = smaller;
  ctx.set('Content-Encoding', coding);
  if (etag !== '') ctx.set('ETag', etagForCoding(etag, coding));
}

const files = new WeakMap<Buffer, Partial<Record<Coding, Promise<Buffer>>>>();

function compressedFile(file: Buffer, coding: Coding): Promise<Buffer> {
  const known = files.get(file) ?? {};
  files.set(file, known);
  return (known[coding] ??= COMPRESS[coding](file));
}

/** Serializes immediately, so that `respondToErrors` handles a failure. */
export function respondWithJson(ctx: Context, value: unknown): void {
  ctx.type = 'json';
  ctx.body = JSON.stringify(value);
}

const SECRET_PATHS = /^\/(v2\/auth|c)(\/|$)/;

/** For secrets (spec 2). */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const;

/**
 * Allows only the client's cache, with revalidation; on secret paths, none (spec 2). Later
 * middleware may override the header.
 */
export function cacheControl(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'private, no-cache');
    if (SECRET_PATHS.test(ctx.path)) ctx.set(NO_STORE);
    return next();
  };
}
