import { isUtf8 } from 'node:buffer';
import { Busboy } from '@fastify/busboy';
import type { BusboyHeaders } from '@fastify/busboy';
import type { Context } from 'koa';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { MAX_VALUES } from '../../domain/json.ts';
import { parseEventJson, assertStorable } from '../../schema/json.ts';
import {
  missingBodyError,
  isByCookie,
  mediaTypeError,
  detectCharset,
  isJsonType,
  parseMediaType,
  decodeWithCharset,
} from './body.ts';
import type { MediaType } from './body.ts';
import { readIsoTime } from '../../domain/iso-time.ts';
import { assertSafeKey } from '../../domain/free-form.ts';
import { selectAttributes, selectEventHeaders } from '../../domain/events/event-context.ts';
import type { AttributeValue, EventContext } from '../../domain/events/event-context.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';
const STRUCTURED_TYPE = 'application/cloudevents+json';

/** See spec 8.7. */
export const EVENT_TYPES = [JSON_TYPE, FORM_TYPE, STRUCTURED_TYPE] as const;

/** Types that senders use for JSON and forms by mistake. */
const UNTYPED = ['', 'text/plain', 'application/octet-stream', 'binary/octet-stream'];

/** Matches a name and `=`, without blanks. No JSON text matches. */
const FORM = /^[^\s=&"{}<>]+=\S*$/;

export interface SentEvent {
  body: unknown;
  signed?: unknown;
  cloudEvent?: CloudEvent | undefined;
}

/**
 * Parses JSON, a form or a CloudEvent (spec 8.7). Throws DomainError `unsupported_media_type`,
 * `invalid_json` or `invalid_request`.
 */
export function readEvent(ctx: Context, bytes: Buffer): SentEvent {
  const { type, charset: declared } = readMediaType(ctx);
  const charset = detectCharset(bytes, declared);
  if (type === STRUCTURED_TYPE) {
    const { event, data } = readStructured(parseJsonText(decodeWithCharset(bytes, charset)));
    return { body: data, cloudEvent: event };
  }
  const cloudEvent = readBinary(ctx.headers);
  if (bytes.length === 0 && cloudEvent) return { body: null, cloudEvent };
  if (bytes.length === 0) throw missingBodyError();
  if (!isReadable(ctx, type)) throw mediaTypeError(...EVENT_TYPES);
  const body = type === FORM_TYPE ? parseForm(bytes, charset) : readUntyped(bytes, { type, charset });
  return { body, ...(cloudEvent ? { cloudEvent } : {}) };
}

/**
 * Parses an event whose signature covers only the bytes (spec 8.9). Unsigned headers must not
 * change the bytes' meaning: `ce-` headers are ignored, forms rejected, `specversion` marks a
 * CloudEvent, and a charset applies only to bytes that are not UTF-8 or contain a NUL.
 */
export function readSignedEvent(ctx: Context, bytes: Buffer): SentEvent {
  const { type, charset } = readMediaType(ctx);
  if (bytes.length === 0) throw missingBodyError();
  if (type === FORM_TYPE || type === MULTIPART_TYPE) throw mediaTypeError(JSON_TYPE, STRUCTURED_TYPE);
  const value = parseJsonText(
    decodeWithCharset(bytes, detectCharset(bytes, isUtf8(bytes) && !bytes.includes(0) ? '' : charset)),
  );
  if (!isRecord(value) || getOwn(value, 'specversion') === undefined) return { body: value, signed: value };
  const { event, data } = readStructured(value);
  return { body: data, cloudEvent: event, signed: value };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readUntyped(bytes: Buffer, { type, charset }: MediaType): unknown {
  const text = decodeWithCharset(bytes, charset);
  return UNTYPED.includes(type) && FORM.test(text.trim()) ? parseForm(bytes, charset) : parseJsonText(text);
}

function readMediaType(ctx: Context): MediaType {
  const media = parseMediaType(ctx.get('Content-Type'));
  if (media.type === 'application/cloudevents-batch+json') {
    throw new DomainError('unsupported_media_type', 'Send one CloudEvent in a request, not a batch.');
  }
  return media;
}

function isReadable(ctx: Context, type: string): boolean {
  if (EVENT_TYPES.some((one) => one === type)) return true;
  if (isByCookie(ctx)) return false;
  // '' also stands for several types. Accept only a missing header.
  if (type === '') return ctx.get('Content-Type').trim() === '';
  return isJsonType(type) || UNTYPED.includes(type);
}

function parseJsonText(text: string): unknown {
  const value = parseEventJson(text);
  // Most bodies need no search.
  if (/__proto__|\\u00/i.test(text)) assertNoPrototypeKeys(value);
  return value;
}

function assertNoPrototypeKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw invalidRequest('body', 'the key "__proto__" is not allowed');
  for (const member of Object.values(value)) assertNoPrototypeKeys(member);
}

/** Percent-encoded characters are in the body's charset, or in UTF-8 if the body is UTF-16. */
function parseForm(bytes: Buffer, charset = 'utf-8'): Record<string, unknown> {
  const isUnicode = charset.startsWith('utf-');
  const text = isUnicode ? decodeWithCharset(bytes, charset) : bytes.toString('latin1');
  const decode = isUnicode ? decodeUnicode : (one: string) => decodeBytes(one, charset);
  const pairs = text.split('&', MAX_VALUES + 1).filter((pair) => pair !== '');
  if (pairs.length > MAX_VALUES) {
    throw invalidRequest('body', `must not hold more than ${MAX_VALUES.toLocaleString('en')} values`);
  }
  return toForm(
    pairs.map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair)?.map(decode) ?? [];
      return [name, value];
    }),
  );
}

/** Turns repeated fields into lists (spec 8.7). */
function toForm(pairs: [name: string, value: string][]): Record<string, unknown> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    assertSafeKey(name, 'body', { dots: 'allowed' });
    const texts = fields.get(name);
    if (texts) texts.push(value);
    else fields.set(name, [value]);
  }
  const form = Object.fromEntries(
    [...fields].map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]]),
  );
  assertStorable(form);
  return form;
}

const MAX_PARTS = 1_000;
const PIECE_BYTES = 32 * 1024;
const PART_LIMITS = {
  parts: MAX_PARTS,
  fields: MAX_PARTS,
  files: MAX_PARTS,
  fieldNameSize: 1_000,
  headerPairs: 20,
};

/** `files`: the names of files, which are left out. */
export interface SentForm extends SentEvent {
  files: string[];
}

/** Parses the text fields of `multipart/form-data` (spec 8.9). */
export async function readMultipartForm(ctx: Context, bytes: Buffer): Promise<SentForm> {
  if (bytes.length === 0) throw missingBodyError();
  const pairs: [string, string][] = [];
  const files: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const reading = { isOver: false };
    const refuse = (problem: string) => {
      reading.isOver = true;
      reject(invalidRequest('body', problem));
    };
    const fail = () => refuse('is no form that can be read');
    const failAt = (limit: string) => () => refuse(limit);
    try {
      const headers: BusboyHeaders = { 'content-type': ctx.get('Content-Type') };
      const form = new Busboy({ headers, limits: { ...PART_LIMITS, fieldSize: bytes.length + 1 } });
      form.on('field', (name: string | undefined, value) => {
        if (name === undefined) refuse('has a part without a name');
        else pairs.push([name, value]);
      });
      form.on('file', (name: string | undefined, content, fileName) => {
        files.push(fileName || (name ?? ''));
        content.on('error', fail).resume();
      });
      for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
        form.on(limit, failAt(`must not have more than ${MAX_PARTS.toLocaleString('en')} parts`));
      form.on('error', fail);
      form.on('finish', resolve);
      for (let at = 0; at < bytes.length && !reading.isOver; at += PIECE_BYTES)
        form.write(bytes.subarray(at, at + PIECE_BYTES));
      form.end();
    } catch {
      fail();
    }
  });
  return { body: toForm(pairs), files };
}

function decodeUnicode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformedFormError('UTF-8');
  }
}

const [PERCENT, PLUS, BLANK] = Buffer.from('%+ ');
const HEX = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? 255 : value;
});

/** A function call per character would cost 0.2 s a megabyte. */
function decodeBytes(text: string, charset: string): string {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === PLUS) byte = BLANK ?? 0;
    else if (byte === PERCENT) {
      const [high = 255, low = 255] = [HEX[bytes[at + 1] ?? 0], HEX[bytes[at + 2] ?? 0]];
      if (high === 255 || low === 255) throw malformedFormError(charset);
      byte = high * 16 + low;
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  return decodeWithCharset(bytes.subarray(0, length), charset);
}

function malformedFormError(charset: string): DomainError {
  return invalidRequest(
    'body',
    `is not well-formed form data: a "%" must begin an encoded ${charset} character`,
  );
}

/** See https://cloudevents.io, version 1.0. */
export interface CloudEvent {
  id: string;
  source: string;
  type: string;
  attributes: Record<string, AttributeValue>;
}

const REQUIRED: readonly string[] = ['id', 'source', 'type'];
const OPTIONAL = ['datacontenttype', 'dataschema', 'subject', 'time'] as const;

const MAX_CHARACTERS = 2_048;
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Throws DomainError `invalid_request` for an invalid CloudEvent (spec 8.7). */
export function readStructured(value: unknown): { event: CloudEvent; data: unknown } {
  if (!isRecord(value)) {
    throw invalidRequest('body', 'must be one CloudEvent: an object with its attributes and data');
  }
  return { event: readAttributes(value), data: readData(value) };
}

function readBinary(headers: Context['headers']): CloudEvent | undefined {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('ce-') && typeof value === 'string' && value !== '' ? [[name.slice(3), value]] : [],
  );
  if (!given.some(([name = '']) => ['specversion', ...REQUIRED].includes(name))) return undefined;
  const decoded = given.map(([name = '', value = '']) => [name, decodePercentEncoding(value, `ce-${name}`)]);
  return readAttributes(Object.fromEntries(decoded) as Record<string, unknown>, 'ce-');
}

function readAttributes(attributes: Record<string, unknown>, prefix = ''): CloudEvent {
  const attribute = (name: string) => getOwn(attributes, name);
  if (attribute('specversion') !== '1.0') {
    throw invalidRequest(`${prefix}specversion`, 'must be "1.0", the only supported version of CloudEvents');
  }
  for (const name of OPTIONAL) optionalText(attribute(name), `${prefix}${name}`);
  const time = attribute('time');
  if (typeof time === 'string' && !(TIME.test(time) && isExistingTime(time))) {
    throw invalidRequest(`${prefix}time`, 'must be an RFC 3339 time, as in 2026-03-14T09:26:53Z');
  }
  const [id, source, type] = REQUIRED.map((name) => requiredText(attribute(name), `${prefix}${name}`));
  return { id, source, type, attributes: selectAttributes(Object.entries(attributes)) } as CloudEvent;
}

/** Returns what expressions may read of a request (spec 8.11). */
export function buildEventContext(ctx: Context, { cloudEvent }: Pick<SentEvent, 'cloudEvent'>): EventContext {
  return {
    headers: selectEventHeaders(ctx.headers),
    ...(cloudEvent && { cloudEvent: cloudEvent.attributes }),
  };
}

function isExistingTime(time: string): boolean {
  return !Number.isNaN(readIsoTime(time.toUpperCase()) ?? Number.NaN);
}

function requiredText(value: unknown, path: string): string {
  if (value === undefined || value === null) throw invalidRequest(path, 'is required of a CloudEvent');
  return textAttribute(value, path);
}

function optionalText(value: unknown, path: string): void {
  if (value !== undefined && value !== null) textAttribute(value, path);
}

function textAttribute(value: unknown, path: string): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_CHARACTERS) {
    throw invalidRequest(path, `must be a text of 1 to ${MAX_CHARACTERS.toLocaleString('en')} characters`);
  }
  return value;
}

function decodePercentEncoding(text: string, path: string): string {
  const decoded = decodeOrUndefined(text.replace(/^"(.*)"$/, '$1'));
  if (decoded === undefined) throw invalidRequest(path, 'is not well percent-encoded');
  if (decoded.includes('\0')) throw invalidRequest(path, 'must not contain a NUL character');
  return decoded;
}

function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readData(attributes: Record<string, unknown>): unknown {
  const data = getOwn(attributes, 'data');
  const base64 = getOwn(attributes, 'data_base64');
  if (base64 === undefined || base64 === null) return data ?? null;
  if (data !== undefined) throw invalidRequest('data_base64', 'must not be given with data');
  const type = getOwn(attributes, 'datacontenttype');
  const isJson = typeof type !== 'string' || /[/+]json\b/i.test(type);
  if (typeof base64 !== 'string' || !BASE64.test(base64) || !isJson) {
    throw invalidRequest('data_base64', 'must be JSON, encoded in base64');
  }
  return parseEventJson(decodeWithCharset(Buffer.from(base64, 'base64')));
}

function getOwn(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
