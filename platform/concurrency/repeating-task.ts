import { setTimeout as wait } from 'node:timers/promises';

/** Something that is done again and again, one round after the other. It keeps no process alive. */
export interface RepeatingTask {
  /** Begins, unless it runs already or was stopped. */
  start: () => void;
  /** Ends it for good; resolves when the round under way is over. */
  stop: () => Promise<void>;
}

export interface RepeatOptions {
  /**
   * From the beginning of a round to that of the next, which never begins sooner than a quarter of
   * this after the end of the one before.
   */
  everyMs: number;
  /** Told of a round that rejects; the next one comes at its time all the same. */
  onError: (error: unknown) => void;
  /** Asked before each round: at false the task ends, until it is started again. */
  isWanted?: () => boolean;
  /** The first round comes after `everyMs`, not at once. */
  waitsFirst?: boolean;
}

/** A task of rounds. One that answers true has more to do: the next follows at once. */
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
