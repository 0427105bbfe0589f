// Bot that hands conversations over to people. It accepts new conversations. When a contact writes
// "human", it notifies the organization's channels, assigns the agents, and leaves as soon as an
// agent accepts. Run it beside `npm start`:
//
//   node examples/handover-bot.mjs
import { startBot } from './bot-kit.mjs';

const command = (text, meta) => ({ type: 'command', text, ...(meta && { meta }) });

function prepare({ parlance }) {
  const query = { role: 'agent' };
  return async () => (await parlance.call('GET /users', { query })).map(({ id }) => id);
}

async function hear({ message, conversation, user, prepared: agents, reply }) {
  const others = conversation.participants.filter((one) => one.user !== user && one.accepted);
  const mine = conversation.participants.some((one) => one.user === user && one.accepted);
  if (message.type === 'command') {
    if (message.text === '/accept' && message.user !== user && mine) {
      reply({ text: 'You are talking to a person now.' }, command('/leave'));
    }
    return;
  }
  if (others.length > 0) return;
  const greeting = { text: 'Hello! I am a bot. Write "human" to talk to a person.' };
  if (!mine) reply(command('/accept'), greeting);
  if (!/\bhuman\b/i.test(message.text)) return;
  const users = await agents();
  const waiting = { text: 'I am looking for somebody. One moment, please.' };
  reply(waiting, command('/notify'), ...(users.length > 0 ? [command('/assign', { users })] : []));
}

await startBot({
  name: 'handover bot',
  events: ['message.create.*.chat.contact', 'message.create.*.command'],
  prepare,
  hear,
});
