import type { Product } from '../support/product.ts';

/** A conversation with a contact, and functions that change and read the conversation. */
export interface Talk {
  id: string;
  url: string;
  path: string;
  /** Posts a message, by default with role `bot` and visible to the contact. */
  say: (message: object | string) => Promise<any>;
  /** Processes all delayed messages now. */
  hurry: () => Promise<void>;
  /** Returns the messages in order as `role: text`, without `opened`, the first message. */
  lines: () => Promise<string[]>;
}

let contacts = 0;

export async function newTalk({ admin, origin, organization }: Product): Promise<Talk> {
  const email = `contact-${++contacts}@example.com`;
  const { status, body } = await admin.post('/conversations', {
    organization,
    type: 'contact',
    contact: { profile: { email, name: 'Ada' } },
    messages: [{ type: 'status', text: 'opened' }],
  });
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
