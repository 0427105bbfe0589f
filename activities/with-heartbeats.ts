import { heartbeat } from '@temporalio/activity';

const EVERY_MS = 1_000;

/**
 * The same activities, each with heartbeats for as long as it works: a worker that dies is noticed
 * by its silence, and another one goes on.
 */
export function withHeartbeats<T extends Record<string, (argument: never) => Promise<unknown>>>(
  activities: T,
): T {
  const all = Object.entries(activities).map(([name, work]) => [name, heartbeatDuring(work)]);
  return Object.fromEntries(all) as T;
}

function heartbeatDuring<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  return async (argument) => {
    const timer = setInterval(heartbeat, EVERY_MS);
    try {
      return await work(argument);
    } finally {
      clearInterval(timer);
    }
  };
}
