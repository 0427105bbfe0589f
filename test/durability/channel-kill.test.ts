import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivals, firstArrivals } from '../support/arrivals.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Component, Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { allMessages, everyoneGoesOn, registerWebhook, signal, signedIn } from './expectations.ts';
import { MAX_AHEAD, adapterProvider, startSender, twilioProvider } from './senders.ts';
import type { Sender } from './senders.ts';
import { startWriter } from './writers.ts';
import type { Writer } from './writers.ts';

const VICTIMS: Component[] = ['worker', 'api', 'store', 'temporal'];
/** Number of kills of each process, and of kills between a send and its log. A long run sets 50. */
const KILLS_EACH = Number(process.env['PARLANCE_KILLS'] ?? 1);
/** Few, so that the processes are killed while they work, not while they wait for a processor. */
const SENDERS = 2;
const SMS_SENDERS = 2;
const LONG = { withinMs: 180_000, everyMs: 250 };

interface Stored {
  id: string;
  sequence: number;
  text: string;
  role: string;
  delivery?: { status: string; externalId?: string; error?: { code: string } };
}

/** Spec 15.5 and 15.6. */
describe('SIGKILL while a channel sends and receives', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let admin: ApiClient;
  let adapter: Receiver;
  let hook: Receiver;
  let inbox: Receiver;
  /** External ids of the messages of contacts. */
  const posted = new Set<string>();
  let service: string;
  let twilio: FakeTwilio;
  let twilioService: string;
  /** Events whose sending worker was killed before the response. */
  const killedAt: string[] = [];
  let killsWanted = 0;
  /** Texts that the adapter got, by conversation. */
  const carriedTexts = new Map<string, Set<string>>();
  /** Messages that Twilio took from a worker that was killed before Twilio's response. */
  const killedAfter: string[] = [];
  let twilioKillsWanted = 0;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-channel-');
    [adapter, hook, inbox] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
    product = await start(folder.path, {
      ports: await choosePorts(),
      env: {
        ...{ RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_PER_KEY: '0', LOG_LEVEL: 'warn' },
        WEBHOOK_RETRY_SECONDS: '1,1,1,2,2,2,5,5,5,5,5,5',
      },
    });
    admin = await signedIn(product);
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const params = { url: adapter.url, secret, touchpoint: 'sms' };
    const byAdapter = await admin.post('/services', { name: 'SMS', type: 'api', params });
    service = (await untilActive(admin, byAdapter)).id as string;
    twilio = await new FakeTwilio('+31201110009').start();
    const sms = await admin.post('/services', { name: 'Twilio', type: 'twilio', params: twilio.params() });
    twilioService = (await untilActive(admin, sms)).id as string;
    await registerWebhook(admin, { url: hook.url, events: ['message.receipt.*'] });
    inbox.behave((response, { body: text, method }) => {
      if (method === 'POST') posted.add(JSON.parse(text).data.message.externalId as string);
      response.writeHead(200).end();
    });
    await registerWebhook(admin, { url: inbox.url, events: ['message.create.*.*.contact'] }, 'inbox');
    twilio.onTaken = async ({ sid }) => {
      if (twilioKillsWanted === 0) return;
      twilioKillsWanted -= 1;
      killedAfter.push(sid);
      process.kill(await product.readPid('worker'), 'SIGKILL');
    };
    adapter.behave((response, { body: text, method }) => {
      void (async () => {
        if (method === 'POST') noteCarried(text);
        if (method === 'POST' && killsWanted > 0) {
          killsWanted -= 1;
          killedAt.push(JSON.parse(text).id as string);
          process.kill(await product.readPid('worker'), 'SIGKILL');
        }
        if (!isRefused(text)) return void response.writeHead(200).end(answerTo(text));
        const error = { code: '21211', message: 'The number is invalid.' };
        response.writeHead(422).end(JSON.stringify({ error }));
      })();
    });
  });

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('channel-kill', product.supervisor.output());
    await Promise.all([adapter.close(), hook.close(), inbox.close(), twilio.close()]);
    await folder.remove();
  });

  /** The adapter refuses every fifth text. */
  const isRefused = (body: string) => /"text":"text \d*[05]"/.test(body);
  const answerTo = (body: string) =>
    JSON.stringify({ externalId: body === '' ? '' : `SM ${JSON.parse(body).id}` });

  function noteCarried(body: string): void {
    const { conversation, text } = JSON.parse(body).data.message as { conversation: string; text: string };
    carriedTexts.set(conversation, (carriedTexts.get(conversation) ?? new Set()).add(text));
  }

  function startWriters(senders: Sender[], conversations: string[]): Writer[] {
    return conversations.map((conversation, n) => {
      const countCarried = () =>
        n < SENDERS ? (carriedTexts.get(conversation)?.size ?? 0) : twilio.taken(senders[n]?.id ?? '').length;
      const mayGoOn = (acknowledged: number) => acknowledged - countCarried() < MAX_AHEAD;
      return startWriter(admin, { conversation, pauseMs: 150, mayGoOn });
    });
  }

  const storedIn = async (conversation: string) =>
    (await allMessages(admin, conversation)) as unknown as Stored[];

  /** Returns the messages of agents once the outcome of each is known. */
  const carriedIn = (conversation: string) =>
    eventually(async () => {
      const carried = (await storedIn(conversation)).filter(({ role }) => role === 'agent');
      return carried.every(({ delivery }) => delivery?.status !== 'queued') && carried;
    }, LONG);

  async function expectReceived(sender: Sender): Promise<void> {
    const conversation = await sender.findConversation();
    const readTexts = async () =>
      (await storedIn(conversation)).filter(({ role }) => role === 'contact').map(({ text }) => text);
    await expect.poll(readTexts, { timeout: LONG.withinMs }).toEqual(sender.acknowledged);
  }

  async function expectCarried({ conversation, acknowledged }: Writer): Promise<void> {
    const carried = await carriedIn(conversation);
    const { id, delivery } = { ...carried[0] };
    expect([id, delivery?.externalId]).toEqual([id, `SM ${id}-1`]);
    expect(carried.map(({ text }) => text)).toEqual(acknowledged.map(({ text }) => text));
    const outcomes = carried.map(({ delivery: { status, error } = { status: '' } }) => [status, error?.code]);
    const failed = ['failed', '21211'];
    expect(outcomes).toEqual(
      carried.map(({ text }) => (isRefused(`"text":"${text}"`) ? failed : ['sent', undefined])),
    );
    const sent = firstArrivals(adapter)
      .map(({ json }) => json.data.message as Stored & { conversation: string })
      .filter((message) => message.conversation === conversation);
    expect(sent.map(({ text }) => text)).toEqual(acknowledged.map(({ text }) => text));
  }

  /** Twilio has no idempotency keys, so each message must be sent exactly once. */
  async function expectCarriedByTwilio(
    { id }: Sender,
    { conversation, acknowledged }: Writer,
  ): Promise<void> {
    const carried = await carriedIn(conversation);
    const taken = twilio.taken(id);
    expect(taken.map(({ body }) => body)).toEqual(acknowledged.map(({ text }) => text));
    expect(carried.map(({ text, delivery }) => [text, delivery?.status, delivery?.externalId])).toEqual(
      taken.map(({ body, sid }) => [body, 'sent', sid]),
    );
  }

  /** Each rise of a status is an event. Webhooks may repeat an event. */
  async function expectReceipts({ conversation, acknowledged }: Writer): Promise<void> {
    const receipts = () =>
      firstArrivals(hook)
        .map(({ json }) => json.data)
        .filter(({ message }) => message.conversation === conversation);
    await eventually(() => receipts().length >= acknowledged.length, LONG);
    const statuses = new Map(receipts().map(({ message, receipt }) => [message.id, receipt.status]));
    const expected = acknowledged.map(({ id, text }) => [
      id,
      isRefused(`"text":"${text}"`) ? 'failed' : 'sent',
    ]);
    expect([...statuses].sort()).toEqual(expected.sort());
    expect(receipts()).toHaveLength(acknowledged.length);
  }

  test(
    `a channel posts what was accepted once and in order, and sends each message in order with one outcome, in kills of each process, ${KILLS_EACH} of each`,
    { timeout: 600_000 + KILLS_EACH * 120_000 },
    async () => {
      const [byAdapter, byTwilio] = [adapterProvider(admin, service), twilioProvider(twilio)];
      const senders = Array.from({ length: SENDERS + SMS_SENDERS }, (_, n) =>
        startSender(admin, {
          ...{ id: `+316400000${10 + n}`, pauseMs: 150 },
          ...{ provider: n < SENDERS ? byAdapter : byTwilio, isPosted: (id) => posted.has(id) },
        }),
      );
      const conversations = await Promise.all(senders.map((sender) => sender.findConversation()));
      const writers = startWriters(senders, conversations);
      const everyone = [...senders, ...writers];
      for (let round = 0; round < KILLS_EACH * VICTIMS.length; round += 1) {
        const victim = VICTIMS[round % VICTIMS.length] ?? 'worker';
        await wait((round * 137) % 400);
        await signal(product, victim, 'SIGKILL');
        await everyoneGoesOn(everyone);
        if (victim !== 'worker') continue;
        killsWanted = 1;
        await eventually(() => killsWanted === 0, LONG);
        await everyoneGoesOn(everyone);
        twilioKillsWanted = 1;
        await eventually(() => twilioKillsWanted === 0, LONG);
        await everyoneGoesOn(everyone);
      }
      await Promise.all(everyone.map(({ end }) => end()));
      for (const sender of senders) await expectReceived(sender);
      for (const writer of writers.slice(0, SENDERS)) {
        await expectCarried(writer);
        await expectReceipts(writer);
      }
      for (const [n, writer] of writers.slice(SENDERS).entries()) {
        await expectCarriedByTwilio(senders[SENDERS + n]!, writer);
      }
      const sent = arrivals(adapter).map(({ json }) => json.id as string);
      for (const event of killedAt) expect(sent.filter((id) => id === event).length).toBeGreaterThan(1);
      expect(killedAfter).toHaveLength(KILLS_EACH);
      expect(twilio.violations).toEqual([]);
      for (const id of [service, twilioService]) {
        expect((await admin.get(`/services/${id}`)).body.status).toBe('active');
      }
    },
  );
});
