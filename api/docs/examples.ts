const ORGANIZATION = '65f2a1c09b1d8e4f7a3c5d21';
const CONVERSATION = '65f2a1c09b1d8e4f7a3c5d22';

/** Bodies worth seeing, by route; the others are made from their schemas. */
export const BODY_EXAMPLES: Readonly<
  Record<string, Readonly<Record<string, { summary: string; value: unknown }>>>
> = {
  'POST /auth/token': {
    login: {
      summary: 'Log in',
      value: { email: 'ada@example.com', password: 'correct horse battery' },
    },
    refresh: {
      summary: 'Refresh after the access token has expired',
      value: {
        refreshToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature',
        clientId: 'ada@example.com',
      },
    },
  },
  'PATCH /users/me': {
    name: { summary: 'A new name', value: { givenName: 'Ada', familyName: 'Lovelace' } },
    password: {
      summary: 'A new password, for the current one',
      value: { password: 'battery horse correct', currentPassword: 'correct horse battery' },
    },
  },
  'POST /conversations': {
    upsert: {
      summary: 'Find or make a contact and its conversation, and post into it',
      value: {
        organization: ORGANIZATION,
        type: 'contact',
        contact: { profile: { email: 'ada@example.com', name: 'Ada' } },
        messages: [{ type: 'chat', role: 'contact', text: 'Hello, is anybody there?' }],
      },
    },
    plain: {
      summary: 'A conversation by itself',
      value: { name: 'A question', meta: { source: 'website' } },
    },
  },
  'POST /messages': {
    chat: {
      summary: 'A text',
      value: { conversation: CONVERSATION, type: 'chat', role: 'agent', text: 'Good morning!' },
    },
    buttons: {
      summary: 'A text with replies to choose from',
      value: {
        conversation: CONVERSATION,
        text: 'Did that help?',
        actions: [
          { type: 'reply', text: 'Yes', payload: 'yes' },
          { type: 'reply', text: 'No', payload: 'no' },
        ],
      },
    },
    command: {
      summary: 'A command',
      value: { conversation: CONVERSATION, type: 'command', text: '/set category sales' },
    },
  },
  'POST /conversations/:id/messages': {
    one: { summary: 'A text', value: { text: 'Good morning!' } },
    several: {
      summary: 'Several messages, admitted or refused as a whole',
      value: [{ text: 'One moment.' }, { text: 'Here it is.', delay: 1000 }],
    },
  },
  'POST /services': {
    webhook: {
      summary: 'Hear what contacts write',
      value: {
        name: 'Echo',
        type: 'webhook',
        params: { url: 'https://example.com/hook', events: ['message.create.*.chat.contact'] },
      },
    },
  },
};
