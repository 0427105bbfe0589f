import { readFileSync } from 'node:fs';
import { SetupError, UsageError, getTextOption } from './command.ts';
import type { CliCommand } from './command.ts';
import { createSignedInClient } from './session.ts';

export const sendEvent: CliCommand = {
  summary: 'Send a business event, as another system would.',
  usage: 'NAME -d DATA',
  help: `  -d, --data DATA  the event: JSON, @FILE, or @- for standard input
  --key KEY        Idempotency-Key: the same event under the same key is sent once

Says what became of it, and in which conversations.`,
  options: { data: { type: 'string', short: 'd' }, key: { type: 'string' } },
  maxWords: 1,
  async run(context) {
    const [name] = context.positionals;
    const data = getTextOption(context, 'data');
    const key = getTextOption(context, 'key');
    if (!name || data === undefined) throw new UsageError('An event has a name and data');
    const outcome = await createSignedInClient().call('POST /events/{name}', {
      path: { name },
      // As written: a long id would lose digits where it is parsed here.
      body: readEventBody(data),
      headers: { 'content-type': 'application/json' },
      ...(key ? { idempotencyKey: key } : {}),
    });
    const { id, status, conversations, messages } = outcome;
    const where = conversations.map((one) => `\n  conversation ${one}`).join('');
    context.say.line(`${status}: event ${id}, ${messages.length} messages${where}`, outcome);
  },
};

/** Returns the text of the event. Throws UsageError where it is not JSON. */
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
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new SetupError(`The data cannot be read: ${(error as Error).message}`);
  }
}
