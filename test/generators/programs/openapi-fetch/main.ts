import createClient from 'openapi-fetch';
import type { paths } from './generated/schema.js';

const [url = '', token = ''] = process.argv.slice(2);
const parlance = createClient<paths>({
  baseUrl: `${url}/v2`,
  headers: { Authorization: `Bearer ${token}` },
});

function wanted<T>({ data, error }: { data?: T; error?: { message: string } }): T {
  if (data === undefined) throw new Error(error?.message);
  return data;
}

const organization = wanted(await parlance.POST('/organizations', { body: { name: 'openapi-fetch' } }));
const bot = wanted(await parlance.POST('/users', { body: { role: 'bot', givenName: 'Echo' } }));
const conversation = wanted(await parlance.POST('/conversations', { body: { name: 'openapi-fetch' } }));
const message = wanted(
  await parlance.POST('/messages', {
    body: {
      conversation: conversation.id,
      type: 'chat',
      text: 'Did that help?',
      actions: [{ type: 'reply', text: 'Yes', payload: 'yes' }],
    },
  }),
);
if (Array.isArray(message)) throw new Error('One message was posted.');
const query = { conversation: conversation.id };
const listed = wanted(await parlance.GET('/messages', { params: { query } }));
const refused = await parlance.POST('/users', { body: { role: 'bot', status: 'gone' as 'online' } });

console.log(
  JSON.stringify({
    organization: organization.id,
    bot: bot.id,
    conversation: conversation.id,
    message: message.id,
    texts: listed.map(({ text }) => text),
    refusal: refused.error?.code,
  }),
);
