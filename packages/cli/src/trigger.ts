import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Delivery, Service } from '@parlance/client';
import { CommandFailure, UsageError } from './command.ts';
import type { CliCommand } from './command.ts';
import { createSignedInClient } from './session.ts';

const POLL_MS = 100;

export const triggerEvent: CliCommand = {
  summary: 'Send an example of an event to a webhook.',
  usage: 'EVENT [--service ID]',
  help: `Sends the documented example of EVENT, with made-up ids and \`test: true\`, as Parlance sends a real
event: signed, logged, retried. Waits for the first attempt and exits with 1 if it failed. EVENT is
a name such as contact.update or message.create.contact.chat.contact. Missing words default to a
chat message of a contact. Needs scope admin.

  --service ID  id of the webhook, required if the organization has several webhooks`,
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

async function findWebhook(client: Client, id: string | undefined): Promise<Service> {
  if (id) return client.call('GET /services/{id}', { path: { id } });
  const { organization } = await client.call('GET /users/me');
  const query = { organization, type: 'webhook' };
  const found = await client.call('GET /services', { query });
  const [only, ...others] = found;
  if (!only) throw new UsageError('The organization has no webhook: pass the id of another with --service');
  if (others.length === 0) return only;
  const names = found.map((one) => `${one.id} (${one.name})`).join(', ');
  throw new UsageError(`There are several webhooks. Pass the id of one with --service: ${names}`);
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
