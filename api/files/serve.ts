import { DomainError, notFound } from '../../domain/errors.ts';
import { isFileKey, isShownInline } from '../../domain/files/file.ts';
import { parseRange } from '../../domain/files/range.ts';
import type { ByteRange } from '../../domain/files/range.ts';
import { findFile } from '../../store/files/files.ts';
import type { CompleteFile } from '../../store/files/files.ts';
import { matchesIfNoneMatch } from '../pipeline/response.ts';
import type { Api, HandlerResult, OpenRequest } from '../request.ts';

/** GET /f/{key}: the file, or a range of its bytes (spec 6.11). */
export async function serveFile(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const { fileKey = '' } = request.params;
  const file = isFileKey(fileKey) ? await findFile(fileKey) : null;
  if (!file) throw notFound('The file');
  const { ifNoneMatch, ifRange, range: wanted } = request.wanted;
  const { bytes, etag } = file;
  const headers = buildHeaders(file);
  if (ifNoneMatch !== '' && matchesIfNoneMatch(ifNoneMatch, etag)) return { status: 304, headers };
  const range = ifRange === '' || ifRange === etag ? parseRange(wanted, bytes) : undefined;
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { 'Content-Range': `bytes */${bytes}`, ETag: etag }, body: '' };
  }
  const { first, last }: ByteRange = range ?? { first: 0, last: bytes - 1 };
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': String(last - first + 1),
      ...(range && { 'Content-Range': `bytes ${first}-${last}/${bytes}` }),
    },
    // A HEAD request has no reader.
    body: request.isGone?.() ? undefined : await open(file, { first, last }, api),
  };
}

async function open({ _id, place }: CompleteFile, range: ByteRange, { files, log }: Api) {
  try {
    const stream = await files.read({ id: _id, place }, range);
    stream.on('error', (error) => log.warn({ err: error, file: _id }, 'failed to send a file'));
    return stream;
  } catch (error) {
    log.warn({ err: error, file: _id }, 'failed to read a file');
    throw new DomainError('unavailable', 'The file cannot be read right now.', { retryAfterSeconds: 5 });
  }
}

const YEAR_SECONDS = 31_536_000;

function buildHeaders({ name, type, etag }: CompleteFile): Record<string, string> {
  return {
    'Content-Type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    'Content-Disposition': formatDisposition(name, isShownInline(type) ? 'inline' : 'attachment'),
    'Content-Security-Policy': POLICIES[type] ?? SANDBOX,
    'Cache-Control': `private, max-age=${YEAR_SECONDS}, immutable, no-transform`,
    // Pages of other origins may show the file: its address is a secret that they have.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
    ETag: etag,
  };
}

const SOURCES = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
const SANDBOX = `${SOURCES}; frame-ancestors 'none'; sandbox`;

/** Chrome shows no PDF in a sandbox (docs/decisions/files.md). */
const POLICIES: Readonly<Record<string, string>> = {
  'application/pdf': `${SOURCES}; object-src 'self'; frame-ancestors 'none'`,
};

/** Returns a header `Content-Disposition` (RFC 6266) with the name in ASCII and in UTF-8. */
export function formatDisposition(name: string, kind: 'inline' | 'attachment'): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
