import { replaceHalves } from '../characters.ts';
import { CONTENT_TYPES } from '../messages/message.ts';
import type { ContentType } from '../messages/message.ts';

/** Time that a file is kept without a message. */
export const UNUSED_MS = 24 * 3_600_000;

const MAX_NAME_BYTES = 200;
const MAX_ENDING = 16;

/** An S3-compatible bucket for the contents of files. */
export interface BucketConfig {
  /** Address of the service, without the bucket. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Control characters, and characters that change the direction of text or have no width. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const RESERVED = /[<>:"/\\|?*]/g;

/**
 * Returns a name of at most 200 bytes that is safe in paths, headers and pages. Keeps a short
 * ending. An unusable name becomes `file` with the ending of the type.
 */
export function safeFileName(given: string, ending: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const clean = replaceHalves(last)
    .normalize('NFC')
    .replace(UNSAFE, '')
    .replace(RESERVED, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.]+|[\s.]+$/gu, '');
  if (clean === '') return `file.${ending}`;
  const [, stem = clean, suffix = ''] = /^(.+)(\.[^.\s]+)$/u.exec(clean) ?? [];
  const kept = suffix.length <= MAX_ENDING ? suffix : '';
  return truncate(kept === '' ? clean : stem, MAX_NAME_BYTES - byteLength(kept)) + kept;
}

function truncate(text: string, bytes: number): string {
  let kept = '';
  let left = bytes;
  for (const character of text) {
    left -= byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return kept.trimEnd();
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const INLINE = /^(?:image\/(?:apng|bmp|heic|heif|x-icon)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/;

/** Returns whether browsers may show the file instead of saving it (spec 6.11). */
export function isShownInline(type: string): boolean {
  return PICTURES.includes(type) || INLINE.test(type);
}

/** Returns the content type of a message whose text is the file's address (spec 6.11). */
export function contentTypeOfFile(type: string): ContentType {
  const isMedia = type.startsWith('image/') || type === 'application/pdf';
  return CONTENT_TYPES.find((known) => isMedia && known === type) ?? 'text/url';
}

/** 256 bits in base64url. */
const KEY_LENGTH = 43;
const KEY = new RegExp(`^[\\w-]{${KEY_LENGTH}}$`);
const MENTIONED = new RegExp(`/f/([\\w-]{${KEY_LENGTH}})(?![\\w-])`, 'g');

export function isFileKey(key: string): boolean {
  return KEY.test(key);
}

export function fileUrl(publicUrl: string, key: string): string {
  return `${publicUrl}/f/${key}`;
}

/** Returns the key if the text is the address of a file and nothing else. */
export function parseFileUrl(text: string, publicUrl: string): string | undefined {
  const start = fileUrl(publicUrl, '');
  const key = text.trim();
  return key.startsWith(start) && isFileKey(key.slice(start.length)) ? key.slice(start.length) : undefined;
}

interface FileMentions {
  text: string;
  items?: unknown;
  actions?: unknown;
  results?: unknown;
  meta?: unknown;
}

/**
 * Returns the keys of all addresses of files in a message. Addresses of other hosts are included:
 * the store looks for the keys among the files of the message's conversation only.
 */
export function findFileKeys({ text, items, actions, results, meta }: FileMentions): string[] {
  const all = [text, ...[items, actions, results, meta].map((part) => JSON.stringify(part ?? null))];
  const keys = all
    .filter((part) => part.includes('/f/'))
    .flatMap((part) => [...part.matchAll(MENTIONED)].map(([, key = '']) => key));
  return [...new Set(keys)];
}
