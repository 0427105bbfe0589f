import { parseArgs } from 'node:util';
import { ParlanceError } from '@parlance/client';
import { SetupError, UsageError, createPrinter } from './command.ts';
import type { CliCommand, CommandContext } from './command.ts';
import { listenToWebhooks } from './listen.ts';
import { login } from './login.ts';
import { sendEvent } from './send-event.ts';
import { tailConversations } from './tail.ts';

const COMMANDS: Record<string, CliCommand> = {
  login,
  'conversations tail': tailConversations,
  'webhooks listen': listenToWebhooks,
  'events send': sendEvent,
};

const FLAGS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
} as const;

/**
 * Runs the command that the arguments name. 0: done; 1: refused or failed; 2: not understood.
 * SIGINT and SIGTERM end what goes on for ever, with 0.
 */
export async function run(args: string[]): Promise<number> {
  const say = createPrinter(args.includes('--json'));
  try {
    const found = Object.entries(COMMANDS).find(([name]) => `${args.join(' ')} `.startsWith(`${name} `));
    if (!found) return usage(args);
    const [name, command] = found;
    const { values, positionals } = parseArguments(args.slice(name.split(' ').length), command);
    if (values['help']) return help(name, command);
    if (positionals.length > command.maxWords)
      throw new UsageError(`Too many words: ${positionals.join(' ')}`);
    const context: CommandContext = { values, positionals, say, signal: createExitSignal() };
    await command.run(context);
    return 0;
  } catch (error) {
    return reportFailure(error, say);
  }
}

function parseArguments(args: string[], { options }: CliCommand) {
  try {
    const known = { ...FLAGS, ...options };
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function usage(args: string[]): number {
  const isAsked = args.length === 0 || ['-h', '--help', 'help'].includes(args[0] ?? '');
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  parlance ${name.padEnd(20)} ${summary}`,
  );
  const text = `${isAsked ? '' : `There is no command "${args.join(' ')}".\n\n`}Usage:\n${lines.join('\n')}

Each takes --help and --json (a line of JSON for each thing said).
PARLANCE_URL and PARLANCE_API_KEY stand for a login.\n`;
  (isAsked ? process.stdout : process.stderr).write(text);
  return isAsked ? 0 : 2;
}

function help(name: string, { usage: words, summary, help: more }: CliCommand): number {
  process.stdout.write(`parlance ${name} ${words}\n\n${summary}\n\n${more}\n`);
  return 0;
}

function reportFailure(error: unknown, say: CommandContext['say']): number {
  if (error instanceof UsageError) {
    say.problem(`${error.message} (--help says how)`, { code: 'usage' });
    return 2;
  }
  if (error instanceof SetupError) {
    say.problem(error.message, { code: 'setup' });
    return 1;
  }
  if (!(error instanceof ParlanceError)) throw error;
  const { message, code, status, details, requestId } = error;
  const more = details.map((one) => `  ${one.path}: ${one.message}`);
  say.problem(message, { code, status, details, ...(requestId ? { requestId } : {}) }, more);
  return 1;
}

function createExitSignal(): AbortSignal {
  const end = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort());
  return end.signal;
}
