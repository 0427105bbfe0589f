import type { AttemptOutcome } from './delivery.ts';

/** State of a shard for operators (spec 11.2). Contains no URLs or responses. */
export interface DrainReport {
  /** Counted up to 10,000. */
  pending: number;
  /** Counted up to 10,000. */
  held: number;
  oldest?: string | undefined;
  /** Latest failures first, at most twenty. */
  failing: FailingService[];
  searchable: boolean;
}

export interface FailingService {
  service: string;
  name?: string | undefined;
  /** The rest of the URL may be secret. */
  host?: string | undefined;
  since?: string | undefined;
  disabled?: true | undefined;
  attempt: number;
  outcome: AttemptOutcome;
  status?: number | undefined;
  reason?: string | undefined;
  at: string;
  /** Absent: the delivery was given up. */
  nextAt?: string | undefined;
}
