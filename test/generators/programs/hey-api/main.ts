import { client } from './generated/client.gen.js';
import {
  createConversation,
  createMessage,
  createOrganization,
  createUser,
  listMessages,
} from './generated/sdk.gen.js';

const [url = '', token = ''] = process.argv.slice(2);
client.setConfig({ baseUrl: `${url}/v2`, auth: token });
const throwOnError = true;

const organization = await createOrganization({ throwOnError, body: { name: 'hey-api' } });
const bot = await createUser({ throwOnError, body: { role: 'bot', givenName: 'Echo' } });
const conversation = await createConversation({ throwOnError, body: { name: 'hey-api' } });
const posted = await createMessage({
  throwOnError,
  body: {
    conversation: conversation.data.id,
    type: 'chat',
    text: 'Did that help?',
    actions: [{ type: 'reply', text: 'Yes', payload: 'yes' }],
  },
});
if (Array.isArray(posted.data)) throw new Error('One message was posted.');
const listed = await listMessages({ throwOnError, query: { conversation: conversation.data.id } });
const refused = await createUser({ body: { role: 'bot', status: 'gone' as 'online' } });

console.log(
  JSON.stringify({
    organization: organization.data.id,
    bot: bot.data.id,
    conversation: conversation.data.id,
    message: posted.data.id,
    texts: listed.data.map(({ text }) => text),
    refusal: refused.error?.code,
  }),
);
