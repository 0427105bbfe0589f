import { readIsoTime } from '../../../domain/iso-time.ts';
import { invalidRequest } from '../../../domain/errors.ts';
import { parseEventJson } from '../../../application/schema/json.ts';
import { decodeWithCharset } from '../media-type.ts';

/** See https://cloudevents.io, version 1.0. */
export interface CloudEvent {
  id: string;
  source: string;
  type: string;
}

const REQUIRED = ['id', 'source', 'type'] as const;
const OPTIONAL = ['datacontenttype', 'dataschema', 'subject', 'time'] as const;

const MAX_CHARACTERS = 2_048;
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Parses the structured form (spec 8.7). Throws DomainError `invalid_request`. */
export function readStructured(value: unknown): { event: CloudEvent; data: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('body', 'must be one CloudEvent: an object with its attributes and data');
  }
  const attributes = value as Record<string, unknown>;
  return { event: readAttributes((name) => getOwn(attributes, name)), data: readData(attributes) };
}

/**
 * Parses the `ce-` headers of the binary form. Returns undefined without them. Throws DomainError
 * `invalid_request`.
 */
export function readBinary(header: (name: string) => string): CloudEvent | undefined {
  const given = (name: string) => header(`ce-${name}`);
  if (!['specversion', ...REQUIRED].some((name) => given(name) !== '')) return undefined;
  return readAttributes(
    (name) => (given(name) === '' ? undefined : decodePercentEncoding(given(name), `ce-${name}`)),
    'ce-',
  );
}

function readAttributes(attribute: (name: string) => unknown, prefix = ''): CloudEvent {
  if (attribute('specversion') !== '1.0') {
    throw invalidRequest(`${prefix}specversion`, 'must be "1.0": CloudEvents of this version are taken');
  }
  for (const name of OPTIONAL) optionalText(attribute(name), `${prefix}${name}`);
  const time = attribute('time');
  if (typeof time === 'string' && !(TIME.test(time) && isExistingTime(time))) {
    throw invalidRequest(`${prefix}time`, 'must be a time as RFC 3339 has it: 2026-03-14T09:26:53Z');
  }
  const [id, source, type] = REQUIRED.map((name) => requiredText(attribute(name), `${prefix}${name}`));
  return { id, source, type } as CloudEvent;
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

// Headers percent-encode everything but visible ASCII.
function decodePercentEncoding(text: string, path: string): string {
  try {
    return decodeURIComponent(text.replace(/^"(.*)"$/, '$1'));
  } catch {
    throw invalidRequest(path, 'is not well percent-encoded');
  }
}

function readData(attributes: Record<string, unknown>): unknown {
  const data = getOwn(attributes, 'data');
  const base64 = getOwn(attributes, 'data_base64');
  if (base64 === undefined || base64 === null) return data ?? null;
  if (data !== undefined) throw invalidRequest('data_base64', 'must not be there beside data');
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
