import type { SecretOrigin } from '../delivery/signing-secret.ts';

/** Status of events to run again. `unrouted`: no event type had their name. */
export type RetriedStatus = 'failed' | 'ignored' | 'unrouted';

/**
 * Business events to run again together (spec 8.3): of an event type, or of a name in an
 * organization and its descendants. Times are ISO 8601.
 */
export interface EventSelection {
  of: { eventtype: string } | { name: string; organization: string };
  status: RetriedStatus;
  /** Bounds of the arrival time, both inclusive. */
  since: string;
  until: string;
}

/** Position of an event in the order of arrival. */
export interface EventPosition {
  createdAt: string;
  id: string;
}

/** Signature schemes of posts to an ingest address (spec 8.9). The first is the default. */
export const SIGNATURE_KINDS = ['standard-webhooks', 'github', 'stripe', 'shopify', 'slack'] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/** Returns the origin of the secret. Only with Standard Webhooks does the caller choose it. */
export function secretOrigin(kind: SignatureKind): SecretOrigin {
  return kind === 'standard-webhooks' ? 'ours' : 'foreign';
}
/** Format of the names of event types and business events (spec 4.3). */
export const BUSINESS_EVENT_NAME = {
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
  words: 'words of letters, digits, "_" and "-" joined by dots, as in order.created',
  max: 256,
} as const;

const PATTERN = new RegExp(BUSINESS_EVENT_NAME.pattern);

/** Returns whether the name is valid for an event type. */
export function isBusinessEventName(name: string): boolean {
  return name.length <= BUSINESS_EVENT_NAME.max && PATTERN.test(name);
}
