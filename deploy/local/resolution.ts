import type { LineSink } from './lines.ts';
import { StartProblem } from './start-problem.ts';

/** What the ways to find a server's binary are given. */
export interface BinaryLookup {
  env: NodeJS.ProcessEnv;
  /** Told what is going on while it takes long. */
  log: LineSink;
}

/** One way to a binary: its path, or why this way leads nowhere. */
export type LookupResult = { path: string } | { missing: string };

/** A way, and the words in which the outcome says that it was this one. */
export interface BinarySource {
  name: string;
  /**
   * The operator named this very binary: if it cannot be used, that is an error and no reason to
   * look further.
   */
  explicit?: boolean;
  find: (search: BinaryLookup) => Promise<LookupResult>;
}

/** A binary that has been run once to ask for its version. */
export interface Binary {
  path: string;
  /** Name of the source it comes from. */
  source: string;
  version: string;
}

/**
 * The first source with a binary that works, in the order given; otherwise why each of them has
 * none. A StartProblem if an explicit source names one that does not work.
 */
export async function firstUsable(options: {
  sources: readonly BinarySource[];
  search: BinaryLookup;
  /** Asks a binary for its version; rejects with why it cannot be used. */
  readVersion: (path: string) => Promise<string>;
}): Promise<Binary | { reasons: string[] }> {
  const { sources, search, readVersion } = options;
  const reasons: string[] = [];
  for (const source of sources) {
    const attempt = await source.find(search);
    if ('missing' in attempt) {
      reasons.push(`${source.name}: ${attempt.missing}`);
      continue;
    }
    try {
      return { path: attempt.path, source: source.name, version: await readVersion(attempt.path) };
    } catch (error) {
      const reason = `${source.name}: ${attempt.path} cannot be used (${firstLine(error)})`;
      if (source.explicit) throw new StartProblem(reason);
      reasons.push(reason);
    }
  }
  return { reasons };
}

/** An error in one line, for a list of reasons. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? describeCause(error) : String(error);
  return text.split('\n')[0] ?? '';
}

/** Network errors tell why only in their cause. */
function describeCause(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
