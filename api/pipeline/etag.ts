import { createHash } from 'node:crypto';
import { invalidRequest } from '../../domain/errors.ts';

const TAGS = /(?:W\/)?"[^"]*"/g;
/** Each content coding has its own tag (spec 2). */
const CODING = /-(?:gzip|br)"$/;

/**
 * Returns a tag that does not depend on the order of fields, because the order differs between a
 * write and a read.
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

/** Unambiguous, so matching cannot backtrack. */
const IF_MATCH = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/;

/** Throws DomainError `invalid_request` for a malformed `If-Match`. */
export function assertValidIfMatch(ifMatch: string | undefined): void {
  if (ifMatch === undefined || IF_MATCH.test(ifMatch)) return;
  throw invalidRequest('If-Match', 'must be the ETag of an answer, with its quotation marks, or *');
}

/**
 * Returns whether `If-Match` names the tag in any coding. A compressing proxy weakens the tag to
 * `W/"…"`, which matches, although RFC 9110 (13.1.1) excludes weak tags.
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
