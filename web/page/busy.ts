/** Without `Retry-After`, the attempts take several minutes together. */
const MAX_TRIES = 30;
const MAX_WAIT_MS = 60_000;

export class Busy extends Error {
  /** 0 without `Retry-After`. */
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('the server is busy');
    this.retryAfterMs = retryAfterMs;
  }
}

export function toBusy({ status, headers }: Pick<Response, 'status' | 'headers'>): Busy | undefined {
  if (status !== 429 && status !== 503) return undefined;
  return new Busy(parseRetryAfter(headers.get('Retry-After') ?? ''));
}

export function waitAfter(error: unknown, failures: number): number {
  const asked = error instanceof Busy ? error.retryAfterMs : 0;
  return Math.max(asked, waitMs(failures));
}

export async function retryWhileBusy<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Busy) || tries >= MAX_TRIES) throw error;
      const ms = waitAfter(error, tries - 1);
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
}

/** Browsers open six HTTP/1.1 connections per origin. All may be dead but the last. */
const MAX_ATTEMPTS = 6;

/**
 * Starts `attempt` again after each `silentMs` without a result: its connection may be dead.
 * Returns the first result and aborts the other attempts. A slow attempt may still be the first.
 */
export function raceAttempts<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { silentMs, deadline }: { silentMs: number; deadline: AbortSignal },
): Promise<T> {
  const running: AbortController[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (winner?: AbortController) => {
    clearTimeout(timer);
    for (const one of running) if (one !== winner) one.abort();
  };
  return new Promise((resolve, reject) => {
    const start = () => {
      const own = new AbortController();
      deadline.addEventListener('abort', () => own.abort(), { signal: own.signal });
      running.push(own);
      if (running.length < MAX_ATTEMPTS) timer = setTimeout(start, silentMs);
      attempt(own.signal).then(
        (result) => {
          end(own);
          resolve(result);
        },
        (error: unknown) => {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    };
    start();
  });
}

/** Parses seconds or an HTTP date. Clocks may differ, so the result is at most a minute. */
function parseRetryAfter(given: string): number {
  const ms = /^\d+$/.test(given.trim()) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(MAX_WAIT_MS, Math.max(0, ms));
}
const FIRST_MS = 500;
const MAX_MS = 10_000;

/** Returns the backoff in milliseconds, with jitter. `failures` is 0 after the first failure. */
export function waitMs(failures: number): number {
  const whole = Math.min(MAX_MS, FIRST_MS * 2 ** failures);
  return whole * (0.75 + Math.random() / 2);
}
