import { VARIABLES } from './variables.ts';
import type { ValueOf, Variable, VariableName } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment is not one the process can run with. `problems` names every variable at fault and
 * no value.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads variables one by one and collects what is wrong, so that the operator hears of all of it at
 * once.
 */
export interface EnvironmentReader {
  /** The variable's value, its default, or undefined. A blank text counts as not set. */
  value: <N extends VariableName>(name: N) => ValueOf<N>;
  /** As `value`, for one this process cannot do without. */
  required: <N extends VariableName>(name: N) => NonNullable<ValueOf<N>>;
  /** Notes a problem that lies in several variables together. */
  complain: (problem: string) => void;
  /** The finished configuration, deeply frozen. Throws ConfigurationError if anything was wrong. */
  finish: <T extends object>(config: T) => Readonly<T>;
}

/**
 * Begins to read `env`. What `value` and `required` answer is only good once `finish` has returned.
 */
export function readEnvironment(env: Environment): EnvironmentReader {
  const problems: string[] = [];

  function value<N extends VariableName>(name: N): ValueOf<N> {
    const variable: Variable = VARIABLES[name];
    const given = isSet(env[name]) ? env[name] : variable.default;
    if (given === undefined) return undefined as ValueOf<N>;
    const parsed = variable.kind.parse(given);
    if (parsed === undefined) problems.push(`${name} must be ${variable.kind.expected}`);
    return parsed as ValueOf<N>;
  }

  function required<N extends VariableName>(name: N): NonNullable<ValueOf<N>> {
    if (!isSet(env[name])) problems.push(`${name} is required: ${VARIABLES[name].meaning}`);
    return value(name) as NonNullable<ValueOf<N>>;
  }

  function finish<T extends object>(config: T): Readonly<T> {
    if (problems.length > 0) throw new ConfigurationError([...new Set(problems)]);
    return freeze(config);
  }

  return { value, required, complain: (problem) => problems.push(problem), finish };
}

function isSet(given: string | undefined): given is string {
  return given !== undefined && given.trim() !== '';
}

function freeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) freeze(inner as object);
  }
  return Object.freeze(value);
}
