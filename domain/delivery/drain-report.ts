import type { AttemptOutcome } from './delivery.ts';

/** For operators (spec 11.2). Contains no URLs or responses. */
export interface DrainReport {
  /** Counted up to 10,000. */
  pending: number;
  /** Of inactive services; counted up to 10,000. */
  held: number;
  /** Time of the event. */
  oldest?: string;
  /** Latest failures first, at most twenty. */
  failing: FailingService[];
  /** The namespace has the search attribute. */
  searchable: boolean;
}

/** Its last attempt failed. */
export interface FailingService {
  service: string;
  name?: string;
  /** The rest of the URL may be secret. */
  host?: string;
  /** No success since. */
  since?: string;
  /** Until an admin activates it. */
  disabled?: true;
  /** Position on the retry ladder. */
  attempt: number;
  outcome: AttemptOutcome;
  status?: number;
  /** Why there was no response. */
  reason?: string;
  at: string;
  /** Absent: the delivery was given up. */
  nextAt?: string;
}
