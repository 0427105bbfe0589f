import { UsageError } from './command.ts';
import type { CliCommand } from './command.ts';
import { createSignedInClient } from './session.ts';

export const pullWebhooks: CliCommand = {
  summary: 'Print the events of a webhook without an address.',
  usage: 'SERVICE [--for SECONDS]',
  help: `Prints one event per line, as JSON, and acknowledges it: the next run continues after it.
Ends when no event is pending. An event that was printed right before a crash may be printed
again: drop known ids. Needs scope admin, or the key of the webhook's bot.

  --for SECONDS  wait for further events for this time`,
  options: { for: { type: 'string' } },
  maxWords: 1,
  async run({ positionals: [service], options, say, signal }) {
    if (!service) throw new UsageError('The id of a service is missing');
    const seconds = Number(options['for'] ?? 0);
    if (!(seconds >= 0)) throw new UsageError('--for takes a number of seconds');
    const ends = seconds > 0 ? AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]) : signal;
    const client = createSignedInClient();
    try {
      for await (const event of client.events(service, { untilEmpty: seconds === 0, signal: ends })) {
        say.line(JSON.stringify(event), event);
      }
    } catch (error) {
      if (!ends.aborted) throw error;
    }
  },
};
