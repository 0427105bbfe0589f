import type { Product } from '../support/product.ts';

/** A conversation with a contact, and what its other side can say. */
export interface Talk {
  id: string;
  /** The address of the contact's page. */
  url: string;
  path: string;
  /** The bot says something in the main thread. */
  say: (message: object | string) => Promise<any>;
  /** Has all delayed messages processed at once. */
  hurry: () => Promise<void>;
  /** All that was said, as `role: text`, in order. */
  lines: () => Promise<string[]>;
}

let contacts = 0;

export async function newTalk({ admin, origin, organization }: Product): Promise<Talk> {
  const email = `contact-${++contacts}@example.com`;
  const upsert = () =>
    admin.post('/conversations', {
      organization,
      type: 'contact',
      contact: { profile: { email, name: 'Ada' } },
      messages: [{ type: 'status', text: 'opened' }],
    });
  let { status, body } = await upsert();
  // On a busy machine a fresh product may say so at first.
  for (let tries = 0; status === 503 && tries < 5; tries++) ({ status, body } = await upsert());
  if (status >= 300) throw new Error(`no conversation: ${status} ${JSON.stringify(body)}`);
  const path = `/c/${body.slug}`;
  return {
    id: body.id,
    path,
    url: `${origin}${path}`,
    async say(message) {
      const given = typeof message === 'string' ? { text: message } : message;
      const posted = await admin.post(`/conversations/${body.id}/messages`, {
        isBackchannel: false,
        ...given,
      });
      if (posted.status >= 300) throw new Error(JSON.stringify(posted.body));
      return posted.body;
    },
    async hurry() {
      const hurried = await admin.post(`/conversations/${body.id}/hurry`, {});
      if (hurried.status !== 200) throw new Error(JSON.stringify(hurried.body));
    },
    async lines() {
      const list = await admin.get(`/conversations/${body.id}/messages`);
      return list.body.slice(1).map(({ role, text }: { role: string; text: string }) => `${role}: ${text}`);
    },
  };
}
