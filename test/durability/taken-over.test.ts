import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../deploy/local/ports.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { contactModel } from '../../store/conversations/contacts.ts';
import { newId } from '../../store/queries/identifier.ts';
import { startApi } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import { client, createConversation } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import { ADMIN, signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { registerWebhook } from './expectations.ts';

/** Spec 2, 5: the work of a dead process is completed once by another process. */
describe('a request whose process died', () => {
  let product: Product;

  beforeAll(async () => {
    // The test waits for claims of the dead process to end.
    product = await startApi('taken_over', { DEADLINE_FACTOR: '1' });
    await connectStore(inject('mongodbUri'), { database: 'taken_over' });
  });
  afterAll(async () => {
    await disconnectStore();
    await product.close();
  });

  test(
    'a request whose process died is completed once when it is repeated with its Idempotency-Key',
    { timeout: 900_000 },
    async () => {
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const env = { ...product.environment, PORT: String(port) };
      const victim = startNode('dist/api/main.js', { env });
      await eventually(async () => (await fetch(`${origin}/healthz`)).ok, { withinMs: 120_000 });
      const { token } = await signIn(`${origin}/v2`, ADMIN);
      const doomed = client(`${origin}/v2`, token);
      // An Idempotency-Key belongs to a caller, so the second client uses the same token.
      const heir = client(product.base, token);
      const conversation = await createConversation(heir);
      const bodies = Array.from({ length: 12 }, (_, n) => ({ conversation, text: `text ${n}` }));
      const key = (n: number) => ({ 'Idempotency-Key': `taken-over-${n}` });
      const first = bodies.map((body, n) =>
        doomed.once.post('/messages', body, key(n)).catch(() => undefined),
      );
      await wait(40);
      await victim.kill();
      const before = await Promise.all(first);
      const after = await Promise.all(bodies.map((body, n) => heir.post('/messages', body, key(n))));
      expect(after.map(({ status }) => status)).toEqual(bodies.map(() => 201));
      const { body: stored } = await heir.get(`/messages?conversation=${conversation}&sort=sequence`);
      const texts = stored.map(({ text }: { text: string }) => text) as string[];
      expect([...texts].sort()).toEqual(bodies.map(({ text }) => text).sort());
      for (const [n, answer] of after.entries()) {
        expect(stored).toContainEqual(
          expect.objectContaining({ id: answer.body.id, sequence: answer.body.sequence }),
        );
        if (before[n]?.status === 201) expect(answer.body).toEqual(before[n].body);
      }
    },
  );

  test('an upsert whose process died after it created only the contact is completed by the next upsert, which also sends the contact.create event', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await registerWebhook(product.admin, { url: receiver.url, events: ['contact.create'] });
    const id = newId();
    const conversation = newId();
    const profile = { email: 'half@example.com' };
    const times = { createdAt: new Date(), updatedAt: new Date() };
    await contactModel.create([
      { _id: id, organization: product.organization, conversation, profile, meta: {}, ...times },
    ]);
    const body = {
      organization: product.organization,
      contact: { profile },
      messages: [{ text: 'hi', role: 'contact' }],
    };
    const made = await product.admin.post('/conversations', body);
    expect([made.status, made.body.id, made.body.contact]).toEqual([201, conversation, id]);
    const found = await product.admin.post('/conversations', body);
    expect([found.status, found.body.id, found.body.messages.length]).toEqual([200, conversation, 2]);
    const other = { ...body, contact: { profile: { email: 'whole@example.com' } } };
    const { body: whole } = await product.admin.post('/conversations', other);
    const told = () => arrivals(receiver).map(({ json }) => json.data.contact.id as string);
    await eventually(() => told().length >= 2, { withinMs: 120_000 });
    expect(told()).toEqual([id, whole.contact]);
  });
});
