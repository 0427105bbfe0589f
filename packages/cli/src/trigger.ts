import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Delivery, Service } from '@parlance/client';
import { CommandFailure, UsageError } from './command.ts';
import type { CliCommand } from './command.ts';
import { createSignedInClient } from './session.ts';

const POLL_MS = 100;

export const triggerEvent: CliCommand = {
  summary: 'Send an example of an event to a webhook.',
  usage: 'EVENT [--service NAME]',
  help: `Sends the documented example of EVENT, with made-up ids and \`test: true\`, as Parlance sends a real
event: signed, logged, retried. Waits for the first attempt and exits with 1 if it failed. EVENT is
a name such as contact.update or message.create.contact.chat.contact. Missing words default to a
chat message of a contact. Needs scope admin.

  --service NAME  name or id of the webhook, required if the organization has several webhooks`,
  options: { service: { type: 'string' } },
  maxWords: 1,
  async run({ positionals: [event], options, say, signal }) {
    if (!event) throw new UsageError('The name of an event is missing, such as contact.update');
    const client = createSignedInClient();
    const service = await findWebhook(client, options['service']);
    const path = { id: service.id };
    const sent = await client.call('POST /services/{id}/test', { path, body: { event } });
    const isSentNow = service.status === 'active' && service.params.url !== undefined;
    const delivery = await followDelivery(client, sent.delivery ?? '', { isSentNow, signal });
    const words = `${sent.event} to ${service.name}: ${describeDelivery(delivery, service)}`;
    const [attempt] = delivery.attempts;
    if (attempt && attempt.outcome !== 'delivered') throw new CommandFailure(words, delivery);
    say.line(words, delivery);
  },
};

async function findWebhook(client: Client, wanted: string | undefined): Promise<Service> {
  if (wanted && isId(wanted)) return client.call('GET /services/{id}', { path: { id: wanted } });
  const { organization } = await client.call('GET /users/me');
  const all = await client.call('GET /services', { query: { organization, type: 'webhook' } });
  const found = wanted ? all.filter(({ name }) => name === wanted) : all;
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const names = (only ? found : all).map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new UsageError(describeChoice({ wanted, isFound: only !== undefined, names }));
}

const isId = (text: string) => /^[0-9a-f]{24}$/.test(text);

interface Choice {
  wanted: string | undefined;
  isFound: boolean;
  names: string;
}

function describeChoice({ wanted, isFound, names }: Choice): string {
  if (names === '') return 'The organization has no webhook: pass the id of another with --service';
  if (wanted && !isFound) return `No webhook has the name or id "${wanted}"; there are ${names}`;
  return `There are several webhooks. Pass the name or id of one with --service: ${names}`;
}

async function followDelivery(
  client: Client,
  id: string,
  { isSentNow, signal }: { isSentNow: boolean; signal: AbortSignal },
): Promise<Delivery> {
  for (;;) {
    const delivery = await client.call('GET /deliveries/{id}', { path: { id }, signal });
    if (!isSentNow || delivery.attempts.length > 0 || delivery.status !== 'pending') return delivery;
    await wait(POLL_MS, undefined, { signal });
  }
}

function describeDelivery({ status, attempts, nextAttemptAt }: Delivery, service: Service): string {
  const [attempt] = attempts;
  if (!attempt)
    return status === 'pending' ? describeWait(service) : `${status}, the service is ${service.status}`;
  const { outcome, status: code, reason, durationMs, reply } = attempt;
  const facts = [outcome, code, reason, `in ${Math.round(durationMs)} ms`, reply];
  const again = status === 'pending' && nextAttemptAt ? `; tried again at ${nextAttemptAt}` : '';
  return facts.filter((fact) => fact !== undefined).join(' ') + again;
}

function describeWait({ status, params }: Service): string {
  return params.url === undefined ? 'waits to be pulled' : `waits, the service is ${status}`;
}
