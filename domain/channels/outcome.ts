import type { Bar } from './channel-type.ts';

/** Outcome of one attempt to send a message through a provider (spec 15.5). */
export type Outcome =
  | { is: 'sent'; externalId?: string | undefined }
  | { is: 'retry'; reason: string }
  /** The provider named the wait: the attempt uses no step of the retry schedule. */
  | { is: 'throttled'; afterMs: number; reason: string }
  /** This message can never be sent. `bar` marks the contact's identity. */
  | { is: 'refused'; code: string; reason: string; bar?: Bar | undefined }
  /** The provider may have taken the message. */
  | { is: 'uncertain'; reason: string }
  /** The service can send nothing until its credentials are changed. */
  | { is: 'broken'; reason: string };

const MIN_THROTTLE_MS = 1_000;
const MAX_THROTTLE_MS = 3_600_000;

/** Bounds a wait that a provider named, by default a second. */
export function boundThrottle(afterMs: number | undefined): number {
  const asked = afterMs !== undefined && Number.isFinite(afterMs) ? afterMs : MIN_THROTTLE_MS;
  return Math.min(Math.max(Math.ceil(asked), MIN_THROTTLE_MS), MAX_THROTTLE_MS);
}

/** Progress of a message whose provider has no idempotency key (spec 15.9). */
export interface SendingNote {
  /** From 0. Under way since `at`, else next. */
  part: number;
  /** The provider's ids of the earlier parts. */
  externalIds: string[];
  at?: Date | undefined;
  /** Its effect can be looked up at once. */
  hasEnded?: boolean;
  /** The provider's ids of earlier sendings. */
  formerIds?: readonly string[];
}
