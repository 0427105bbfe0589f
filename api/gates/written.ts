import { Readable } from 'node:stream';
import type { Answer } from '../request.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer as it is sent: what it shows is written down as JSON, once, and by now nothing of it can fail. */
export interface Written {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | Readable;
}

/** Writes an answer's body down. Text, files and streams are as they are. */
export function written({ status, headers = {}, body }: Answer): Written {
  if (body === undefined) return { status, headers };
  if (typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable) {
    return { status, headers, body };
  }
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

/** A written answer in one text, which `writtenIn` reads again. */
export function recordOf({ body, ...head }: Written): string {
  const text = JSON.stringify(head);
  return typeof body === 'string' ? `${text.slice(0, -1)},"body":${body}}` : text;
}

/** The answer that a text of `recordOf` holds. */
export function writtenIn(record: string): Written {
  return written(JSON.parse(record) as Answer);
}
