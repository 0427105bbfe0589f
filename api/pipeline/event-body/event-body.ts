import type { Context } from 'koa';
import { DomainError } from '../../../domain/errors.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import { parseEventJson } from '../../../schema/json.ts';
import { bodiless, mistyped, textOf } from '../body.ts';
import { readBinary, readStructured } from './cloud-event.ts';
import type { CloudEvent } from './cloud-event.ts';
import { parseForm } from './form.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const STRUCTURED_TYPE = 'application/cloudevents+json';

/** How the body of a business event may be written (spec 8.7). */
export const EVENT_TYPES = [JSON_TYPE, FORM_TYPE, STRUCTURED_TYPE] as const;

/** A business event as it was sent. */
export interface SentEvent {
  body: unknown;
  /** Of a CloudEvent, in either form. */
  cloudEvent?: CloudEvent;
}

/**
 * Reads a business event in any form that is taken: JSON, a form, a CloudEvent in structured or
 * binary form (spec 8.7). Throws DomainError: `unsupported_media_type` for another type,
 * `invalid_json`, and `invalid_request` that says what is wrong with a form or a CloudEvent.
 */
export function readEvent(ctx: Context, bytes: Buffer): SentEvent {
  const type = typeOf(ctx);
  if (type === STRUCTURED_TYPE) {
    const { event, data } = readStructured(jsonOf(textOf(bytes)));
    return { body: data, cloudEvent: event };
  }
  const cloudEvent = readBinary((name) => ctx.get(name));
  if (bytes.length === 0 && cloudEvent) return { body: null, cloudEvent };
  if (bytes.length === 0) throw bodiless();
  if (type === undefined) throw mistyped(...EVENT_TYPES);
  const text = textOf(bytes);
  const body = type === FORM_TYPE ? parseForm(text) : jsonOf(text);
  return { body, ...(cloudEvent ? { cloudEvent } : {}) };
}

/**
 * Reads a business event of which only the bytes are signed: JSON or a structured CloudEvent. No
 * header may change what the bytes say, so those of a binary CloudEvent are not read, and a form is
 * refused (spec 8.9). Throws as `readEvent` does.
 */
export function readSignedEvent(ctx: Context, bytes: Buffer): SentEvent {
  const type = typeOf(ctx);
  if (bytes.length === 0) throw bodiless();
  if (type === FORM_TYPE) throw mistyped(JSON_TYPE, STRUCTURED_TYPE);
  const value = jsonOf(textOf(bytes));
  if (type !== STRUCTURED_TYPE) return { body: value };
  const { event, data } = readStructured(value);
  return { body: data, cloudEvent: event };
}

function typeOf(ctx: Context): string | undefined {
  const [type = ''] = ctx.get('Content-Type').toLowerCase().split(';');
  if (type.trim() === 'application/cloudevents-batch+json') {
    throw new DomainError('unsupported_media_type', 'Send one CloudEvent in a request, not a batch.');
  }
  return EVENT_TYPES.find((one) => one === type.trim());
}

function jsonOf(text: string): unknown {
  const value = parseEventJson(text);
  // Nobody calls a field so by accident; most bodies need not be looked through for it.
  if (/__proto__|\\u00/i.test(text)) refusePrototype(value);
  return value;
}

function refusePrototype(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw invalidRequest('body', 'the key "__proto__" is not allowed');
  for (const member of Object.values(value)) refusePrototype(member);
}
