import { createHash } from 'node:crypto';
import { invalidRequest } from '../../domain/errors.ts';

const TAGS = /(?:W\/)?"[^"]*"/g;
/**
 * What compression puts behind a tag: each form in which a body is sent has a strong tag of its own
 * (spec 2).
 */
const CODING = /-(?:gzip|br)"$/;

/**
 * A record as JSON, and its strong entity tag. The tag says the same of a record that was just
 * written as of one that was read, whose fields may come in another order.
 */
export function serializeWithEtag(record: object): { text: string; etag: string } {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return { text: `{${fields.join(',')}}`, etag: computeEtag(fields.toSorted().join(',')) };
}

/** The strong entity tag of a content. */
export function computeEtag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
}

/** The tag of a content that is sent compressed. */
export function etagForCoding(etag: string, coding: 'gzip' | 'br'): string {
  return etag.replace(/"$/, `-${coding}"`);
}

/** A list of tags, or any. Each blank and comma can be read in one way only. */
const IF_MATCH = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/;

/**
 * Throws DomainError `invalid_request` for an `If-Match` that is neither a list of quoted tags nor
 * `*`.
 */
export function assertValidIfMatch(ifMatch: string | undefined): void {
  if (ifMatch === undefined || IF_MATCH.test(ifMatch)) return;
  throw invalidRequest('If-Match', 'must be the ETag of an answer, with its quotation marks, or *');
}

/**
 * Returns whether `If-Match` is true of a record, in whichever form the caller got its tag. A proxy
 * that compresses makes our strong tag weak (`W/"…"`). It still names one state of the record, so
 * it matches, which RFC 9110 (13.1.1) forbids for tags that were weak from the start.
 */
export function matchesIfMatch(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return parseTags(ifMatch).some((tag) => tag.replace(/^W\//, '').replace(CODING, '"') === etag);
}

/**
 * Whether `If-None-Match` names a tag, weakly or strongly: the caller has what would be sent (RFC
 * 9110, 13.1.2).
 */
export function matchesIfNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

function parseTags(header: string): string[] {
  return header.match(TAGS) ?? [];
}
