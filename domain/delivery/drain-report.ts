import type { AttemptOutcome } from './delivery.ts';

/** State of a shard for operators (spec 11.2). Contains no URLs or responses. */
export interface DrainReport {
  /** Counted up to 10,000. */
  pending: number;
  /** Deliveries of inactive services; counted up to 10,000. */
  held: number;
  /** Time of the oldest pending event. */
  oldest?: string;
  /** Latest failures first, at most twenty. */
  failing: FailingService[];
  /** The namespace has the search attribute. */
  searchable: boolean;
}

/** A service whose last attempt failed. */
export interface FailingService {
  service: string;
  name?: string;
  /** Host only: the rest of the URL may be secret. */
  host?: string;
  /** Start of the time without a success. */
  since?: string;
  /** The service is disabled until an admin activates it. */
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
