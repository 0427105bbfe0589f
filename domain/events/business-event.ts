import type { SecretOrigin } from '../delivery/signing-secret.ts'; /** How events that are run again may stand; `unrouted`: no event type had their name. */
export type RetriedStatus = 'failed' | 'ignored' | 'unrouted';

/**
 * Business events that are run again together (spec 8.3): those of an event type, or those of a
 * name that came to an organization or one below it. Times are ISO 8601.
 */
export interface EventSelection {
  of: { eventtype: string } | { name: string; organization: string };
  status: RetriedStatus;
  /** The first moment of their arrival, and the last. */
  since: string;
  until: string;
}

/** A place in the order of arrival: that of an event. */
export interface EventPosition {
  createdAt: string;
  id: string;
}

/** How posts to an ingest address may be signed (spec 8.9); the first where none is named. */
export const SIGNATURE_KINDS = ['standard-webhooks', 'github', 'stripe', 'shopify', 'slack'] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/** Who chooses the secret of such posts: only Standard Webhooks leaves that to the caller. */
export function secretOrigin(kind: SignatureKind): SecretOrigin {
  return kind === 'standard-webhooks' ? 'ours' : 'foreign';
}
/** What event types are called, and so the events that they are for (spec 4.3). */
export const BUSINESS_EVENT_NAME = {
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
  words: 'words of letters, digits, "_" and "-" joined by dots, as in order.created',
  max: 256,
} as const;

const PATTERN = new RegExp(BUSINESS_EVENT_NAME.pattern);

/** Whether an event type could be called so. */
export function isBusinessEventName(name: string): boolean {
  return name.length <= BUSINESS_EVENT_NAME.max && PATTERN.test(name);
}
