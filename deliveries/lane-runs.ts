import type { ActiveLane } from './active-lane.ts';
import { createAttemptWriter } from './attempt-writer.ts';
import { runLane } from './lane.ts';
import type { LaneDeps } from './lane.ts';
import type { AttemptResult } from './concurrency-limits.ts';

export interface LaneRunDeps extends Omit<LaneDeps, 'signal' | 'attempts'> {
  log: { warn: (facts: object, message: string) => void };
  /** Cuts the attempts of a shard off; null: the shard is not drained. */
  getCutSignal: (shard: number) => AbortSignal | null;
}

/** The lanes that are worked on. */
export interface LaneRuns {
  /** Does not reject: what could not be done is found again. */
  run: (lane: ActiveLane) => Promise<AttemptResult>;
  /**
   * Cuts attempts off that are sent for a service to another url than this; their lanes have
   * another turn.
   */
  cutOtherUrls(service: string, url: string): void;
}

export function createLaneRuns(deps: LaneRunDeps): LaneRuns {
  const attempts = createAttemptWriter();
  const running = new Map<ActiveLane, AbortController>();

  async function runWith(lane: ActiveLane, end: AbortController): Promise<AttemptResult> {
    try {
      return await runLane({ ...deps, attempts, signal: end.signal }, lane);
    } catch (error) {
      // The store did not answer, or the attempt was cut off.
      if (!end.signal.aborted)
        deps.log.warn({ err: error, lane: lane.id }, 'a delivery lane was interrupted');
      return null;
    }
  }

  return {
    async run(lane) {
      const shardEnds = deps.getCutSignal(lane.shard);
      if (!shardEnds || !deps.mayGoOn(lane.shard)) return null;
      // Not AbortSignal.any: a signal that lives for hours would remember every one that was made
      // of it.
      const end = new AbortController();
      const cutOff = () => end.abort(shardEnds.reason);
      if (shardEnds.aborted) cutOff();
      shardEnds.addEventListener('abort', cutOff);
      running.set(lane, end);
      delete lane.url;
      const shown = await runWith(lane, end);
      running.delete(lane);
      shardEnds.removeEventListener('abort', cutOff);
      return shown;
    },
    cutOtherUrls(service, url) {
      for (const [lane, end] of running) {
        if (lane.service !== service || lane.url === undefined || lane.url === url) continue;
        lane.again = true;
        end.abort(new Error('The service has another url.'));
      }
    },
  };
}
