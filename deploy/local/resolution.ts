import type { LineSink } from './lines.ts';
import { StartProblem } from './start-problem.ts';

export interface BinaryLookup {
  env: NodeJS.ProcessEnv;
  log: LineSink;
}

export type LookupResult = { path: string } | { missing: string };

export interface BinarySource {
  name: string;
  /**
   * The operator named this binary: if it is unusable, the lookup fails without trying other
   * sources.
   */
  explicit?: boolean;
  find: (search: BinaryLookup) => Promise<LookupResult>;
}

export interface Binary {
  path: string;
  source: string;
  version: string;
}

/**
 * Returns the first usable binary in the order of the sources, or the reasons why all fail. Throws
 * StartProblem if an explicit source names an unusable binary.
 */
export async function firstUsable(options: {
  sources: readonly BinarySource[];
  search: BinaryLookup;
  /** Runs the binary for its version. Rejects if the binary is unusable. */
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

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? describeCause(error) : String(error);
  return text.split('\n')[0] ?? '';
}

/** Network errors have their reason only in the cause. */
function describeCause(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
