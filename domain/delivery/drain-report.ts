import type { AttemptOutcome } from './delivery.ts';

/** How a shard stands, for operators (spec 11.2). Holds no url and no answer of a receiver. */
export interface DrainReport {
  /** Counted up to 10,000. */
  pending: number;
  /** Pending, but not to be sent before their service is active; counted up to 10,000. */
  held: number;
  /** When the event happened that has waited longest. */
  oldest?: string;
  /** The latest failures first, at most twenty. */
  failing: FailingService[];
  /** Whether the namespace has the search attribute for them. */
  searchable: boolean;
}

/** A service that failed when last tried. */
export interface FailingService {
  service: string;
  name?: string;
  /** Of its url: the rest may be a secret. */
  host?: string;
  /** Since when no delivery has succeeded. */
  since?: string;
  /** It is sent nothing more until an admin activates it. */
  disabled?: true;
  /** Which attempt of the ladder failed. */
  attempt: number;
  outcome: AttemptOutcome;
  status?: number;
  /** Why, where there was no answer. */
  reason?: string;
  at: string;
  /** Absent: given up. */
  nextAt?: string;
}
