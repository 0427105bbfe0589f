import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { resolveTemporal } from '../../deploy/local/temporal.ts';
import type { Product } from './product.ts';

/** Values for names such as `<id>` in an operator's commands. */
export type Placeholders = Record<string, string>;

export interface OperatorShell {
  /** Runs shell commands and returns their output. Rejects if a command fails. */
  run: (lines: string, placeholders?: Placeholders) => Promise<string>;
  /** Runs the n-th block of commands, counted from 0, under a heading of docs/operations.md. */
  step: (heading: string, n: number, placeholders?: Placeholders) => Promise<string>;
}

/** The alias that docs/operations.md gives for compose. */
export const COMPOSE_ALIAS = "alias temporal='docker compose run --rm temporal-cli'";

/**
 * Creates a shell as an operator uses it: the command `temporal` is available, and API and TOKEN
 * are set as in the README.
 */
export async function operatorShell(
  product: Pick<Product, 'environment' | 'base' | 'token'>,
): Promise<OperatorShell> {
  const composeFolder = process.env['PARLANCE_TEST_COMPOSE'];
  if (composeFolder) {
    const environment = { API: product.base, TOKEN: product.token };
    return createShell({ environment, folder: composeFolder, begin: COMPOSE_ALIAS });
  }
  const { path } = await resolveTemporal({ env: process.env, log: () => undefined });
  return createShell({
    environment: {
      PATH: `${dirname(path)}:${process.env['PATH'] ?? ''}`,
      TEMPORAL_ADDRESS: product.environment['TEMPORAL_ADDRESS'],
      TEMPORAL_NAMESPACE: product.environment['TEMPORAL_NAMESPACE'] ?? 'default',
      API: product.base,
      TOKEN: product.token,
    },
  });
}

/**
 * Creates a shell with the variables of `environment`. Every run starts in `folder` with the
 * commands in `begin`.
 */
export function createShell(options: {
  environment: NodeJS.ProcessEnv;
  folder?: string;
  begin?: string;
}): OperatorShell {
  const env = { ...process.env, ...options.environment };
  const run: OperatorShell['run'] = async (lines, placeholders = {}) => {
    const begin = ['set -euo pipefail', 'shopt -s expand_aliases', options.begin ?? ''];
    const script = [...begin, filled(lines, placeholders)].join('\n');
    const running = promisify(execFile)('bash', ['-c', script], { env, cwd: options.folder });
    running.child.stdin?.end();
    return (await running).stdout;
  };
  return {
    run,
    step: (heading, n, placeholders) => run(readStep(heading, n), placeholders),
  };
}

/** Returns the n-th block of commands, counted from 0, under a heading of docs/operations.md. */
export function readStep(heading: string, n: number): string {
  const text = readFileSync('docs/operations.md', 'utf8');
  const section = text.split(/^#+ /m).find((one) => one.startsWith(`${heading}\n`));
  const block = [...(section ?? '').matchAll(/```sh\n(.*?)```/gs)][n]?.[1];
  if (block === undefined) throw new Error(`docs/operations.md has no block ${n} under "${heading}"`);
  return block;
}

function filled(lines: string, placeholders: Placeholders): string {
  return Object.entries(placeholders).reduce(
    (text, [name, value]) => text.replaceAll(`<${name}>`, value),
    lines,
  );
}
