import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ParlanceError } from '@parlance/client';
import type { Client } from '@parlance/client';
import { UsageError } from './command.ts';
import type { CliCommand, CommandContext } from './command.ts';
import { forward, checkBot } from './forward.ts';
import type { DeliveryEntry } from './forward.ts';
import { createSignedInClient } from './session.ts';

const POLL_MS = 500;
/** Rows may become visible out of order, so each poll reads this far back. */
const OVERLAP_MS = 10_000;
const PAGE = 1_000;
/** Reserved address (RFC 5737) that Parlance never connects to (spec 7.12). */
const UNREACHABLE_URL = 'http://192.0.2.1/parlance-webhooks-listen';

export const listenToWebhooks: CliCommand = {
  summary: 'Forward webhooks to a bot on this machine.',
  usage: '--forward-to URL [--events PATTERNS] [--bot ID] [--secret SECRET]',
  help: `Creates a temporary webhook, reads its events, and posts each event to URL as Parlance would:
same body, same headers, signed, in order per conversation. Posts the messages of the bot's
response. Needs scope admin. Ends with Ctrl-C, and removes the webhook.

  --forward-to URL   address of your bot: http://localhost:4000
  --events PATTERNS  patterns of events, separated by commas (default: all)
  --bot ID           forward the events that this bot would receive
  --secret SECRET    secret of the signatures (default PARLANCE_WEBHOOK_SECRET, or a new secret,
                     which is printed)

No event is lost while the command runs: events during an outage of the connection or of your
bot follow in order. An event whose response has a status other than 2xx is printed and not
repeated.`,
  options: {
    'forward-to': { type: 'string' },
    events: { type: 'string' },
    bot: { type: 'string' },
    secret: { type: 'string' },
  },
  maxWords: 0,
  async run(context) {
    const { options } = context;
    const to = parseAddress(options['forward-to']);
    const client = createSignedInClient({ retryForMs: 5_000 });
    const given = options['secret'] ?? process.env['PARLANCE_WEBHOOK_SECRET'];
    const secret = given?.trim() ?? `whsec_${randomBytes(24).toString('base64')}`;
    const service = await registerService(client, to, options);
    try {
      const patient = createSignedInClient({ retryForMs: Infinity });
      const forwarder = { client, patient, to, secret, say: context.say, signal: context.signal };
      await checkBot(forwarder);
      const facts = { listening: to.href, service, secret };
      context.say.note(`Listening. The webhook's secret is ${secret}`, facts);
      await followDeliveries(client, service, { ...context, run: (row) => forward(forwarder, row) });
    } catch (error) {
      if (!context.signal.aborted) throw error;
    } finally {
      // If this fails, the next run removes the service.
      await client.call('DELETE /services/{id}', { path: { id: service } }).catch(() => undefined);
    }
  },
};

function parseAddress(text: string | undefined): URL {
  const url = URL.canParse(text ?? '') ? new URL(text ?? '') : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError('--forward-to takes the address of your bot, such as http://localhost:4000');
}

/**
 * Registers a disabled service: its deliveries are stored and never sent. Replaces the service that
 * a killed command left behind.
 */
async function registerService(client: Client, to: URL, options: CommandContext['options']): Promise<string> {
  const name = `parlance webhooks listen: ${hostname()} to ${to.host}${to.pathname}`.slice(0, 200);
  const left = await client.call('GET /services', { query: { name: `[${name}]` } });
  for (const { id } of left) await client.call('DELETE /services/{id}', { path: { id } });
  const events = options['events']?.split(',').map((one) => one.trim());
  const params = { url: UNREACHABLE_URL, events };
  const body = { name, type: 'webhook', params, user: options['bot'] || undefined };
  const { id } = await client.call('POST /services', { body });
  await client.call('PATCH /services/{id}', { path: { id }, body: { status: 'disabled' } });
  return id;
}

async function followDeliveries(
  client: Client,
  service: string,
  { say, signal, run }: CommandContext & { run: (row: DeliveryEntry) => Promise<void> },
): Promise<void> {
  const lanes = createLanes(run);
  const seen = new Map<string, number>();
  let since = 0;
  let lost = false;
  while (!signal.aborted) {
    const failed = lanes.failure();
    if (failed) throw failed.error;
    try {
      const rows = await findDeliveriesSince(client, service, since);
      if (lost) say.note('The connection to Parlance is back.');
      lost = false;
      for (const row of rows.filter(({ id }) => !seen.has(id))) {
        const at = Date.parse(row.createdAt);
        seen.set(row.id, at);
        lanes.add(row.conversation ?? '', row);
        // After a full page, continue without overlap from the time of the page's last row.
        since = Math.max(since, rows.length < PAGE ? at - OVERLAP_MS : at);
      }
      for (const [id, at] of seen) if (at < since - OVERLAP_MS) seen.delete(id);
    } catch (error) {
      if (!(error instanceof ParlanceError) || !error.isTransient) throw error;
      if (!lost) say.note(`${error.message} Missed events follow later.`);
      lost = true;
    }
    await wait(POLL_MS, undefined, { signal });
  }
}

async function findDeliveriesSince(client: Client, service: string, since: number): Promise<DeliveryEntry[]> {
  const createdAt = `>=${new Date(since).toISOString()}`;
  const query = { service, createdAt, sort: 'createdAt,sequence', limit: PAGE };
  return client.call('GET /deliveries', { query });
}

/** Runs the jobs of each lane in order. No job starts after the first error. */
function createLanes<T>(run: (job: T) => Promise<void>) {
  const ends = new Map<string, Promise<void>>();
  let failed: { error: unknown } | undefined;
  return {
    failure: () => failed,
    add(lane: string, job: T): void {
      const end = (ends.get(lane) ?? Promise.resolve())
        .then(() => (failed ? undefined : run(job)))
        .catch((error: unknown) => {
          failed ??= { error };
        })
        .finally(() => {
          if (ends.get(lane) === end) ends.delete(lane);
        });
      ends.set(lane, end);
    },
  };
}
