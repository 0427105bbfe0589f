import { setTimeout as wait } from 'node:timers/promises';

/** Repeats rounds of work, never two at once. Does not keep the process alive. */
export interface RepeatingTask {
  start: () => void;
  /** Stops the task for good. Resolves when the round in progress has ended. */
  stop: () => Promise<void>;
}

export interface RepeatOptions {
  /**
   * Interval between the starts of two rounds. The pause after a round is at least a quarter of
   * `everyMs`.
   */
  everyMs: number;
  onError: (error: unknown) => void;
  /** Checked before each round. On false the task ends until `start` is called again. */
  isWanted?: (() => boolean) | undefined;
  waitsFirst?: boolean;
}

/** Creates a repeating task. If a round resolves to true, the next round follows at once. */
export function repeatingTask(
  round: () => Promise<unknown>,
  { everyMs, onError, isWanted = () => true, waitsFirst = false }: RepeatOptions,
): RepeatingTask {
  const ending = new AbortController();
  const { signal } = ending;
  let isRunning = false;
  let ended = Promise.resolve();

  const rest = (ms: number) => wait(ms, undefined, { ref: false, signal }).catch(() => undefined);

  async function runRound(): Promise<void> {
    const startedAt = performance.now();
    const result = await round().catch(onError);
    if (result === true) return;
    await rest(Math.max(everyMs / 4, everyMs - (performance.now() - startedAt)));
  }

  async function run(): Promise<void> {
    if (waitsFirst) await rest(everyMs);
    while (!signal.aborted && isWanted()) await runRound();
    isRunning = false;
  }

  return {
    start() {
      if (signal.aborted || isRunning) return;
      isRunning = true;
      ended = run();
    },
    async stop() {
      ending.abort();
      await ended;
    },
  };
}
