import type { HmacSignature } from './hmac-signature.ts';
import type { SecretOrigin } from '../delivery/signing-secret.ts';

/** `unrouted`: no event type had the event's name. */
export type RetriedStatus = 'failed' | 'ignored' | 'unrouted';

/** Events of a type, or of a name in an organization and its descendants (spec 8.3). */
export interface EventSelection {
  of: { eventtype: string } | { name: string; organization: string };
  status: RetriedStatus;
  /** Bounds of the arrival time, inclusive, as ISO 8601. */
  since: string;
  until: string;
}

/** Unrouted events that are kept per user (spec 8.3). */
export const MAX_UNROUTED = 2_000;

export interface EventPosition {
  createdAt: string;
  id: string;
}

/** Kinds of signatures at ingest addresses (spec 8.9). The first is the default. */
export const SIGNATURE_KINDS = ['standard-webhooks', 'github', 'stripe', 'shopify', 'slack'] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/** A known kind, or the declaration of another one. */
export type IngestSignature = SignatureKind | HmacSignature;

/** Returns `ours` for Standard Webhooks. The other products choose the format of their secrets. */
export function secretOrigin(kind: IngestSignature): SecretOrigin {
  return kind === 'standard-webhooks' ? 'ours' : 'foreign';
}

/** Format of the names of event types and business events (spec 4.3). */
export const BUSINESS_EVENT_NAME = {
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
  words: 'words of letters, digits, "_" and "-" joined by dots, as in order.created',
  max: 256,
} as const;

const PATTERN = new RegExp(BUSINESS_EVENT_NAME.pattern);

export function isBusinessEventName(name: string): boolean {
  return name.length <= BUSINESS_EVENT_NAME.max && PATTERN.test(name);
}
