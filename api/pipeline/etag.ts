import { createHash } from 'node:crypto';
import { invalidRequest } from '../../domain/errors.ts';

const TAGS = /(?:W\/)?"[^"]*"/g;
/** Each content coding has its own strong tag (spec 2). */
const CODING = /-(?:gzip|br)"$/;

/**
 * Returns a record as JSON with its strong tag. The tag does not depend on the order of fields:
 * they differ between a write and a read.
 */
export function serializeWithEtag(record: object): { text: string; etag: string } {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return { text: `{${fields.join(',')}}`, etag: computeEtag(fields.toSorted().join(',')) };
}

export function computeEtag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
}

export function etagForCoding(etag: string, coding: 'gzip' | 'br'): string {
  return etag.replace(/"$/, `-${coding}"`);
}

/** Each text matches in one way only, so matching cannot backtrack. */
const IF_MATCH = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/;

/** Throws DomainError `invalid_request` unless `If-Match` is a list of quoted tags or `*`. */
export function assertValidIfMatch(ifMatch: string | undefined): void {
  if (ifMatch === undefined || IF_MATCH.test(ifMatch)) return;
  throw invalidRequest('If-Match', 'must be the ETag of an answer, with its quotation marks, or *');
}

/**
 * Returns whether `If-Match` names the tag in any coding. A proxy that compresses weakens our tag
 * to `W/"…"`. It still matches, although RFC 9110 (13.1.1) excludes weak tags.
 */
export function matchesIfMatch(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return parseTags(ifMatch).some((tag) => tag.replace(/^W\//, '').replace(CODING, '"') === etag);
}

/** Returns whether `If-None-Match` names the tag, weak or strong (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

function parseTags(header: string): string[] {
  return header.match(TAGS) ?? [];
}
