import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Message, StreamEvent } from '@parlance/client';
import type { CliCommand, CommandContext, Printer } from './command.ts';
import { createSignedInClient } from './session.ts';

type Receipt = Extract<StreamEvent, { event: 'receipt' }>['data'];

const POLL_MS = 1_000;
const OVERLAP_MS = 5_000;
const PAGE = 1_000;

export const tailConversations: CliCommand = {
  summary: 'Print new messages of one conversation or all conversations.',
  usage: '[ID] [--after NUMBER]',
  help: `With an ID: messages, edits and deletions of this conversation, from its stream.
Without an ID: new messages of all conversations that you may list (scope bot). Prints each
message once and in the order of its conversation, also after lost connections. Ends with Ctrl-C.

  --after NUMBER  begin after the message with this sequence number`,
  options: { after: { type: 'string' } },
  maxWords: 1,
  async run(context) {
    const [id] = context.positionals;
    const client = createSignedInClient();
    try {
      await (id ? followOne(client, id, context) : followAll(client, context));
    } catch (error) {
      if (!context.signal.aborted) throw error;
    }
  },
};

function printReceipt(say: Printer, receipt: Receipt): void {
  const { status, error } = receipt.delivery;
  say.line(`  ${receipt.message} ${status}${error ? `: ${error.code} ${error.message}` : ''}`, receipt);
}

async function followOne(client: Client, id: string, context: CommandContext): Promise<void> {
  const { say, signal, options } = context;
  const after = options['after'] || undefined;
  const onReconnect = () => say.note('The connection was lost. Connecting again.');
  for await (const one of client.stream(id, { after, signal, onReconnect })) {
    if (one.event === 'receipt') printReceipt(say, one.data);
    else if (one.event !== 'message') say.line(`  (${one.event})`, one);
    else if ('text' in one.data) printMessage(say, one.data);
    else say.line(`#${one.data.sequence} was deleted`, one);
  }
}

async function followAll(client: Client, { say, signal }: CommandContext): Promise<void> {
  // Start at the server's time, because the local clock may differ.
  const [newest] = await client.call('GET /conversations', {
    query: { sort: '-updatedAt', limit: 1 },
    signal,
  });
  const began = newest?.updatedAt ?? new Date(0).toISOString();
  const printed = new Map<string, { updatedAt: string; sequence: number | undefined }>();
  say.note('Following all conversations.');
  let from = withOverlap(began);
  while (!signal.aborted) {
    const query = { updatedAt: `>=${from}`, sort: 'updatedAt', limit: PAGE, select: 'updatedAt' };
    const changed = await client.call('GET /conversations', { query, signal });
    for (const { id, updatedAt } of changed) {
      const last = printed.get(id);
      if (last?.updatedAt === updatedAt) continue;
      let sequence = last?.sequence;
      for await (const message of newMessages(client, id, { began, sequence, signal })) {
        printMessage(say, message);
        sequence = message.sequence;
      }
      printed.set(id, { updatedAt, sequence });
    }
    const newest = changed.at(-1)?.updatedAt;
    // After a full page, continue without overlap.
    if (newest !== undefined) from = changed.length < PAGE ? withOverlap(newest) : newest;
    if (changed.length < PAGE) await wait(POLL_MS, undefined, { signal });
  }
}

/** Rows may become visible out of order. */
function withOverlap(time: string): string {
  return new Date(Date.parse(time) - OVERLAP_MS).toISOString();
}

interface Since {
  began: string;
  /** Of the last printed message. */
  sequence: number | undefined;
  signal: AbortSignal;
}

/** Yields all messages after `sequence`, or else after the time `began`. */
async function* newMessages(client: Client, id: string, { began, sequence, signal }: Since) {
  for (let last = sequence; ;) {
    const news = last === undefined ? { processedAt: `>${began}` } : { sequence: `>${last}` };
    const query = { sort: 'sequence', limit: PAGE, ...news };
    const messages = await client.call('GET /conversations/{id}/messages', { path: { id }, query, signal });
    yield* messages;
    last = messages.at(-1)?.sequence;
    if (messages.length < PAGE || last === undefined) return;
  }
}

function printMessage(say: Printer, message: Message): void {
  const { conversation, sequence, type, text, isBackchannel } = message;
  const who = `${'role' in message ? message.role : type}${isBackchannel ? ' (back channel)' : ''}`;
  say.line(`${conversation} #${sequence ?? '–'} ${who}: ${text}`, message);
}
