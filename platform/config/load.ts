import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VARIABLES } from './variables.ts';
import type { ValueOf, Variable, VariableName } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `problems` names every invalid variable, but no value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads variables and collects their problems, so that operators see all problems together. */
export interface EnvironmentReader {
  /** Returns the value or the default. Blank text counts as unset. */
  value: <N extends VariableName>(name: N) => ValueOf<N>;
  /** As `value`. Reports an unset variable as a problem. */
  required: <N extends VariableName>(name: N) => NonNullable<ValueOf<N>>;
  complain: (problem: string) => void;
  /** Returns the configuration, deeply frozen. Throws ConfigurationError if there are problems. */
  finish: <T extends object>(config: T) => Readonly<T>;
}

/** Values are valid only if `finish` returns. */
export function readEnvironment(env: Environment): EnvironmentReader {
  const problems: string[] = [];

  function value<N extends VariableName>(name: N): ValueOf<N> {
    const variable: Variable = VARIABLES[name];
    const given = env[name]?.trim() ? env[name] : variable.default;
    if (given === undefined) return undefined as ValueOf<N>;
    const parsed = variable.kind.parse(given);
    if (parsed === undefined) problems.push(`${name} must be ${variable.kind.expected}`);
    return parsed as ValueOf<N>;
  }

  function required<N extends VariableName>(name: N): NonNullable<ValueOf<N>> {
    if (!env[name]?.trim()) problems.push(`${name} is required: ${VARIABLES[name].meaning}`);
    return value(name) as NonNullable<ValueOf<N>>;
  }

  function finish<T extends object>(config: T): Readonly<T> {
    if (problems.length > 0) throw new ConfigurationError([...new Set(problems)]);
    return freeze(config);
  }

  return { value, required, complain: (problem) => problems.push(problem), finish };
}

function freeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) freeze(inner as object);
  }
  return Object.freeze(value);
}

/**
 * Reads the configuration from the environment, which overrides `.env` in the working directory.
 * After a ConfigurationError, prints it and exits with code 1.
 */
export function loadConfig<T>(read: (env: Environment) => T): T {
  try {
    loadEnvFile();
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export function productVersion(): string {
  const manifest = readFileSync(join(projectRoot(), 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Finds the root folder, from the sources and from dist. */
export function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
