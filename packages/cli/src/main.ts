import { parseArgs } from 'node:util';
import { ParlanceError } from '@parlance/client';
import { CommandFailure, SetupError, UsageError, createPrinter } from './command.ts';
import type { CliCommand, CommandContext } from './command.ts';
import { listenToWebhooks } from './listen.ts';
import { login, logout, whoami } from './login.ts';
import { pullWebhooks } from './pull.ts';
import { tailConversations } from './tail.ts';
import { triggerEvent } from './trigger.ts';
import { readFileSync } from 'node:fs';
import { createSignedInClient } from './session.ts';

const sendEvent: CliCommand = {
  summary: 'Send a business event, as another system would.',
  usage: 'NAME -d DATA',
  help: `  -d, --data DATA  the event: JSON, @FILE, or @- for standard input
  --key KEY        Idempotency-Key: an event with the same key is sent once

Prints the result, with the ids of the conversations and the number of messages.`,
  options: { data: { type: 'string', short: 'd' }, key: { type: 'string' } },
  maxWords: 1,
  async run({ positionals: [name], options: { data, key }, say }) {
    if (!name || data === undefined) throw new UsageError('An event has a name and data');
    const outcome = await createSignedInClient().call('POST /events/{name}', {
      path: { name },
      // Send the original text: parsing would lose digits of long ids.
      body: readEventBody(data),
      headers: { 'content-type': 'application/json' },
      idempotencyKey: key || undefined,
    });
    const { id, status, conversations, messages } = outcome;
    const where = conversations.map((one) => `  conversation ${one}`);
    say.line(`${status}: event ${id}, ${messages.length} messages`, outcome, where);
  },
};

const listChannels: CliCommand = {
  summary: 'List the channels that carry messages, with their state.',
  usage: '',
  help: 'Needs scope admin.',
  options: {},
  maxWords: 0,
  async run({ say }) {
    const channels = createSignedInClient().list('GET /services', { query: { type: '!=webhook' } });
    for await (const channel of channels) {
      const { id, name, type, touchpoint, status, statusReason, failingSince } = channel;
      const state = status === 'active' && failingSince ? `failing since ${failingSince}` : status;
      const why = statusReason === undefined ? '' : `: ${statusReason}`;
      say.line(`${id}  ${name}  ${touchpoint} by ${type}  ${state}${why}`, channel);
    }
  },
};

const COMMANDS: Record<string, CliCommand> = {
  login,
  whoami,
  logout,
  'conversations tail': tailConversations,
  channels: listChannels,
  'webhooks listen': listenToWebhooks,
  'webhooks pull': pullWebhooks,
  'events send': sendEvent,
  trigger: triggerEvent,
};

const FLAGS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
} as const;

/** Returns the exit code: 0 for success or a signal, 1 for a failure, 2 for invalid usage. */
export async function run(args: string[]): Promise<number> {
  const say = createPrinter(args.includes('--json'));
  try {
    if (args[0] === '--version') return printVersion(say);
    const found = Object.entries(COMMANDS).find(([name]) => `${args.join(' ')} `.startsWith(`${name} `));
    if (!found) return usage(args);
    const [name, command] = found;
    const { isHelp, options, positionals } = parseArguments(args.slice(name.split(' ').length), command);
    if (isHelp) return help(name, command);
    if (positionals.length > command.maxWords)
      throw new UsageError(`Too many words: ${positionals.join(' ')}`);
    await command.run({ options, positionals, say, signal: createExitSignal() });
    return 0;
  } catch (error) {
    return reportFailure(error, say);
  }
}

function printVersion(say: CommandContext['say']): number {
  const file = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  say.line(version, { version });
  return 0;
}

function parseArguments(args: string[], command: CliCommand) {
  try {
    const known = { ...FLAGS, ...command.options };
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true });
    const { help: isHelp = false, json: _, ...options } = values;
    return { isHelp, options: options as CommandContext['options'], positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function usage(args: string[]): number {
  const isHelp = ['-h', '--help', 'help'].includes(args.at(-1) ?? '');
  const group = Object.entries(COMMANDS).filter(([name]) => name.startsWith(`${args[0]} `));
  const isAsked = args.length === 0 || (isHelp && (args.length === 1 || group.length > 0));
  const lines = (group.length > 0 ? group : Object.entries(COMMANDS)).map(
    ([name, { summary }]) => `  parlance ${name.padEnd(20)} ${summary}`,
  );
  const text = `${isAsked ? '' : `There is no command "${args.join(' ')}".\n\n`}Usage:\n${lines.join('\n')}

Each command has --help, and --json for one line of JSON per line of output. --version prints the version.
PARLANCE_URL and PARLANCE_API_KEY replace the stored session.\n`;
  (isAsked ? process.stdout : process.stderr).write(text);
  return isAsked ? 0 : 2;
}

function help(name: string, { usage: words, summary, help: more }: CliCommand): number {
  process.stdout.write(`parlance ${name} ${words}\n\n${summary}\n\n${more}\n`);
  return 0;
}

function reportFailure(error: unknown, say: CommandContext['say']): number {
  if (error instanceof UsageError) {
    say.problem(`${error.message} (see --help)`, { code: 'usage' });
    return 2;
  }
  if (error instanceof SetupError) {
    say.problem(error.message, { code: 'setup' });
    return 1;
  }
  if (error instanceof CommandFailure) {
    say.problem(error.message, error.data);
    return 1;
  }
  if (!(error instanceof ParlanceError)) throw error;
  const { message, code, status, details, requestId } = error;
  const more = details.map((one) => `  ${one.path}: ${one.message}`);
  say.problem(message, { code, status, details, requestId }, more);
  return 1;
}

function createExitSignal(): AbortSignal {
  const end = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort());
  // The reader of a pipe may end first, as `head` does.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') throw new Error(`The output cannot be written: ${code}`);
      end.abort();
    });
  }
  return end.signal;
}

function readEventBody(data: string): string {
  const text = data.startsWith('@') ? readBodyFile(data.slice(1)) : data;
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`The data is not JSON: ${(error as Error).message}`);
  }
}

function readBodyFile(path: string): string {
  try {
    // The decoder drops a byte order mark, and Windows PowerShell writes UTF-16.
    const bytes = readFileSync(path === '-' ? 0 : path);
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SetupError(`The data cannot be read: ${(error as Error).message}`);
  }
}
