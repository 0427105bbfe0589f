import { Readable } from 'node:stream';
import type { HandlerResult } from '../request.ts';
import { serializeWithEtag } from './etag.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * An answer as it is sent: what it shows is written down as JSON, once, and by now nothing of it
 * can fail.
 */
export interface SerializedResponse {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
}

/**
 * Writes an answer's body down. Text, files and streams are as they are; a record by itself gets
 * its entity tag (spec 2).
 */
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

/** A written answer in one text, which `writtenIn` reads again. */
export function toCacheEntry({ body, ...head }: SerializedResponse): string {
  const text = JSON.stringify(head);
  return typeof body === 'string' ? `${text.slice(0, -1)},"body":${body}}` : text;
}

/** The answer that a text of `recordOf` holds. */
export function fromCacheEntry(record: string): SerializedResponse {
  return serializeResponse(JSON.parse(record) as HandlerResult);
}
