import { createHash } from 'node:crypto';
import { invalidRequest } from '../../domain/refusal.ts';

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
export function taggedJson(record: object): { text: string; etag: string } {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return { text: `{${fields.join(',')}}`, etag: entityTag(fields.toSorted().join(',')) };
}

/** The strong entity tag of a content. */
export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
}

/** The tag of a content that is sent compressed. */
export function codedTag(etag: string, coding: 'gzip' | 'br'): string {
  return etag.replace(/"$/, `-${coding}"`);
}

/** A list of tags, or any. Each blank and comma can be read in one way only. */
const IF_MATCH = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/;

/**
 * Throws DomainError `invalid_request` for an `If-Match` that is neither a list of quoted tags nor
 * `*`.
 */
export function refuseMalformedIfMatch(ifMatch: string | undefined): void {
  if (ifMatch === undefined || IF_MATCH.test(ifMatch)) return;
  throw invalidRequest('If-Match', 'must be the ETag of an answer, with its quotation marks, or *');
}

/**
 * Returns whether `If-Match` is true of a record, in whichever form the caller got its tag. A proxy
 * that compresses makes our strong tag weak (`W/"…"`). It still names one state of the record, so
 * it matches, which RFC 9110 (13.1.1) forbids for tags that were weak from the start.
 */
export function ifMatchHolds(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return tagsIn(ifMatch).some((tag) => tag.replace(/^W\//, '').replace(CODING, '"') === etag);
}

/**
 * Whether `If-None-Match` names a tag, weakly or strongly: the caller has what would be sent (RFC
 * 9110, 13.1.2).
 */
export function isKnownTo(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

function tagsIn(header: string): string[] {
  return header.match(TAGS) ?? [];
}
