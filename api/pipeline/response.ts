import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { TSchema } from 'typebox';
import { invalidRequest } from '../../domain/errors.ts';
import { suggestionFor } from '../../domain/suggestion.ts';
import { MAX_NAMED, listSiblingFields } from '../../schema/ignored-fields.ts';
import type { FieldPath, HandlerResult, SerializedResponse } from '../request.ts';
import type { Route } from '../route.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** See spec 2. */
export function serializeResponse(
  { status, headers = {}, body }: HandlerResult,
  showsRecord = false,
): SerializedResponse {
  if (body === undefined) return { status, headers };
  if (typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable) {
    return { status, headers, body };
  }
  if (showsRecord && isRecord(body)) {
    const { text, etag } = serializeWithEtag(body);
    return { status, headers: { 'Content-Type': JSON_TYPE, ETag: etag, ...headers }, body: text };
  }
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

function isRecord(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

export function sendResponse(ctx: Context, { status, headers, body }: SerializedResponse): void {
  ctx.status = status;
  ctx.set(headers);
  if (body !== undefined) ctx.body = body;
}

/** See spec 2. */
export function createRecordCheck(rows: readonly Route[]): (row: Pick<Route, 'answer'>) => boolean {
  const records = new Set(
    rows
      .filter(({ method, path }) => method === 'GET' && /^\/\w+\/:id(\/profile)?$/.test(path))
      .map(({ answer }) => answer),
  );
  records.delete(undefined);
  return ({ answer }) => {
    const { anyOf = [] } = (answer ?? {}) as { anyOf?: TSchema[] };
    return records.has(answer) || anyOf.some((one) => records.has(one));
  };
}

const TAGS = /(?:W\/)?"[^"]*"/g;
/** Each content coding has its own tag (spec 2). */
const CODING = /-(?:gzip|br)"$/;

/**
 * Returns JSON and a tag. The tag does not depend on the order of the fields, which differs between
 * a write and a read.
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

export function assertValidIfMatch(ifMatch: string | undefined): void {
  if (ifMatch === undefined || IF_MATCH.test(ifMatch)) return;
  throw invalidRequest('If-Match', 'must be the ETag of a response, with its quotation marks, or *');
}

/**
 * Ignores the coding in a tag. Accepts the weak tags `W/"…"` of compressing proxies, which RFC 9110
 * (13.1.1) excludes.
 */
export function matchesIfMatch(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return parseTags(ifMatch).some((tag) => tag.replace(/^W\//, '').replace(CODING, '"') === etag);
}

/** Compares weakly (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

function parseTags(header: string): string[] {
  return header.match(TAGS) ?? [];
}

const MAX_STEP_LENGTH = 64;

export function buildIgnoredHeader(paths: readonly FieldPath[]): Record<string, string> {
  const names = paths.slice(0, MAX_NAMED).map((path) => path.map(stepText).join('.'));
  return names.length > 0 ? { 'X-Ignored-Fields': names.join(', ') } : {};
}

const MAX_HINTS = 5;

export function collectHints(schema: TSchema | undefined, paths: readonly FieldPath[]): string[] {
  if (!schema) return [];
  return paths.slice(0, MAX_HINTS).flatMap((path) => {
    const meant = suggestionFor(String(path.at(-1)), listSiblingFields(schema, path));
    return meant === undefined ? [] : [`${path.map(stepText).join('.')}: did you mean ${meant}?`];
  });
}

export function buildHintHeader(hints: readonly string[]): Record<string, string> {
  return hints.length > 0 ? { 'X-Hint': hints.slice(0, MAX_HINTS).join(' ') } : {};
}

/** Percent-encodes a step, also dots and commas, and cuts a long step. */
function stepText(step: string | number): string {
  let text = '';
  for (const character of String(step)) {
    // The Buffer replaces lone surrogates, on which encodeURIComponent throws.
    const encoded = encodeURIComponent(Buffer.from(character).toString()).replace('.', '%2E');
    if (text.length + encoded.length > MAX_STEP_LENGTH) return `${text}...`;
    text += encoded;
  }
  return text;
}
