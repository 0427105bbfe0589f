import { createWriteStream } from 'node:fs';

/** The log, counters and violations of a run. */
export interface Journal {
  /** Writes one line with the time since the start. */
  say: (line: string) => void;
  count: (what: string, by?: number) => void;
  /** Records a broken guarantee of the product without stopping the run. */
  violated: (promise: string, details?: unknown) => void;
  violations: () => readonly string[];
  counts: () => ReadonlyMap<string, number>;
  /** Records the duration if it is the longest of its kind so far. */
  longest: (what: string, ms: number) => void;
  summary: () => string[];
  close: () => Promise<void>;
}

const MAX_VIOLATIONS = 50;
const MAX_DETAILS = 4_000;

/** Creates a journal that writes to the file `path` and passes each line to `echo`. */
export function createJournal(path: string, echo: (line: string) => void = () => undefined): Journal {
  const file = createWriteStream(path, { flags: 'w' });
  const startedAt = performance.now();
  const counts = new Map<string, number>();
  const longest = new Map<string, number>();
  const violations: string[] = [];

  function say(line: string): void {
    const text = `${clock(performance.now() - startedAt)} ${line}`;
    file.write(`${text}\n`);
    echo(text);
  }

  return {
    say,
    count: (what, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by),
    longest: (what, ms) => void longest.set(what, Math.max(longest.get(what) ?? 0, ms)),
    violated(promise, details) {
      const words = details === undefined ? '' : `\n    ${JSON.stringify(details).slice(0, MAX_DETAILS)}`;
      if (violations.length < MAX_VIOLATIONS) violations.push(`${promise}${words}`);
      say(`VIOLATION: ${promise}${words}`);
    },
    violations: () => violations,
    counts: () => counts,
    summary: () => [
      ...[...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([what, count]) => `${what}: ${count}`),
      ...[...longest].map(([what, ms]) => `longest ${what}: ${(ms / 1000).toFixed(1)} s`),
      violations.length === 0 ? 'no violation' : `${violations.length} VIOLATIONS`,
    ],
    close: () => new Promise((resolve) => file.end(resolve)),
  };
}

function clock(ms: number): string {
  const seconds = ms / 1000;
  const minutes = Math.floor(seconds / 60);
  return `${String(minutes).padStart(2, '0')}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;
}
