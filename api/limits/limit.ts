import type { Logger } from 'pino';
import { addRequests } from '../../store/cluster/request-counts.ts';
import { watchApiProcesses } from './peers.ts';
import { createRequestCounter } from './request-counter.ts';
import type { RequestCounter } from './request-counter.ts';

/** Counts the requests of this process and, where there are others, of all. */
export interface Limit {
  count: RequestCounter;
  /** Whether other API processes count along. */
  shared: () => boolean;
  /** Tells the others that this process is gone. */
  leave: () => Promise<void>;
}

/** Begins to count, and makes this process known to the others. */
export async function createLimit(limit: number, log: Logger): Promise<Limit> {
  const { exist: shared, leave } = await watchApiProcesses(log);
  return { count: createRequestCounter({ limit, shared, add: addRequests }), shared, leave };
}
