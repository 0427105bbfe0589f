import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Message, StreamEvent } from '@parlance/client';
import type { CliCommand, CommandContext, Printer } from './command.ts';
import { createSignedInClient } from './session.ts';

type Receipt = Extract<StreamEvent, { event: 'receipt' }>['data'];

const POLL_MS = 1_000;
const OVERLAP_MS = 5_000;

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
  let since = began;
  while (!signal.aborted) {
    // Rows may become visible out of order.
    const from = new Date(Date.parse(since) - OVERLAP_MS).toISOString();
    const query = { updatedAt: `>=${from}`, sort: 'updatedAt', limit: 1_000, select: 'updatedAt' };
    const changed = await client.call('GET /conversations', { query, signal });
    for (const { id, updatedAt } of changed) {
      since = updatedAt > since ? updatedAt : since;
      const last = printed.get(id);
      if (last?.updatedAt === updatedAt) continue;
      const news =
        last?.sequence === undefined ? { processedAt: `>${began}` } : { sequence: `>${last.sequence}` };
      const given = { path: { id }, query: { sort: 'sequence', ...news }, signal };
      const messages = await client.call('GET /conversations/{id}/messages', given);
      for (const message of messages) printMessage(say, message);
      printed.set(id, { updatedAt, sequence: messages.at(-1)?.sequence ?? last?.sequence });
    }
    await wait(POLL_MS, undefined, { signal });
  }
}

function printMessage(say: Printer, message: Message): void {
  const { conversation, sequence, type, text, isBackchannel } = message;
  const who = `${'role' in message ? message.role : type}${isBackchannel ? ' (back channel)' : ''}`;
  say.line(`${conversation} #${sequence ?? '–'} ${who}: ${text}`, message);
}
