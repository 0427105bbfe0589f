import { randomBytes, randomUUID } from 'node:crypto';
import type { ApiClient } from './client.ts';
import { eventually } from './eventually.ts';
import type { Product } from './product.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';
import { untilActive } from './services.ts';

/** A channel of type `api`, its adapter, and what its provider does. */
export interface TestChannel {
  id: string;
  adapter: Receiver;
  /** Returns the conversation of a contact who has written an SMS, by default from a new number. */
  write: (text: string, from?: string, more?: object) => Promise<{ from: string; conversation: string }>;
  /** Reports what became of a message. */
  report: (message: string, status: string, error?: { code: string; message?: string }) => Promise<void>;
  close: () => Promise<void>;
}

let numbers = 0;

/** Returns a telephone number that no other test of this process has. */
export function newNumber(): string {
  return `+3162${String(process.pid % 1_000).padStart(3, '0')}${String(10_000 + (numbers += 1)).slice(1)}`;
}

export async function newChannel(
  { admin, organization }: Pick<Product, 'organization'> & { admin: ApiClient },
  { name = 'Support number', touchpoint = 'sms' } = {},
): Promise<TestChannel> {
  const adapter = await startReceiver();
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const params = { url: adapter.url, secret, touchpoint };
  const made = await admin.post('/services', { organization, name, type: 'api', params });
  const { id } = (await untilActive(admin, made)) as { id: string };
  const path = `/services/${id}`;
  return {
    id,
    adapter,
    async write(text, from = newNumber(), more = {}) {
      const entry = { id: randomUUID(), from: { id: from, telephone: from, ...more }, messages: [{ text }] };
      const answer = await admin.post(`${path}/inbound`, { entries: [entry] });
      if (answer.status !== 202) throw new Error(`not received: ${JSON.stringify(answer.body)}`);
      const conversation = await eventually(async () => {
        const { body } = await admin.get(`/contacts?profile.telephone=${encodeURIComponent(from)}`);
        const [contact] = body as { conversation?: string }[];
        if (contact?.conversation === undefined) return null;
        const posted = await admin.get(`/conversations/${contact.conversation}/messages`);
        const isPosted = (posted.body as { text: string }[]).some((one) => one.text === text);
        return isPosted && contact.conversation;
      });
      return { from, conversation };
    },
    async report(message, reached, error) {
      const receipts = [{ message, status: reached, ...(error ? { error } : {}) }];
      const answer = await admin.post(`${path}/receipts`, { receipts });
      if (answer.body.accepted !== 1) throw new Error(JSON.stringify(answer.body));
    },
    async close() {
      await admin.request('DELETE', path);
      await adapter.close();
    },
  };
}
