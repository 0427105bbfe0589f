import { createHash } from 'node:crypto';
import { invalidRequest } from '../../domain/refusal.ts';
import type { CloudEvent } from './event-body/cloud-event.ts';

const KEY = /^[\x21-\x7e]{1,128}$/;

/** What makes a request the same as another one of its caller (spec 2.8, 8.8). */
export interface RequestKey {
  key: string;
  /** What has to be the same under the same key. */
  identity: string;
  /** The header or attribute that the key was read from: refusals name it. */
  from: string;
  /** The id that the sender of a business event gave it, and not a header of the request. */
  isSenders?: true;
}

/**
 * The header `Idempotency-Key`; undefined without one. Throws DomainError `invalid_request` for a
 * malformed one.
 */
export function headerKey(key: string, identity: string): RequestKey | undefined {
  if (key === '') return undefined;
  if (!KEY.test(key)) throw invalidRequest('Idempotency-Key', 'must be 1 to 128 visible characters');
  return { key, identity, from: 'Idempotency-Key' };
}

/** A CloudEvent is known by its id and source, in whatever form it comes. */
export function cloudEventKey({ id, source }: CloudEvent, name: string): RequestKey {
  return senderKey('cloudevent', JSON.stringify([source, id]), { name, from: 'id' });
}

/**
 * An event that is known by an id of the sender's own; `kind` says what sort of id, `from` where it
 * was. The id alone counts: senders change counters, times and the order of fields when they send
 * an event again.
 */
export function senderKey(
  kind: string,
  id: string,
  { name, from }: { name: string; from: string },
): RequestKey {
  return { key: `${kind} ${id}`, identity: `event ${name}`, from, isSenders: true };
}

/** Names a request of a caller under its key, for the store. */
export function keyDigest(caller: string, { key, identity }: RequestKey): string {
  return createHash('sha256')
    .update(JSON.stringify([caller, key, identity]))
    .digest('hex');
}
