// A bot that takes conversations and hands them over to people. It accepts what a contact begins,
// and when they ask for a human it notifies the organization's channels, assigns the agents, and
// leaves as soon as one of them accepts. Run it beside `npm start`:
//
//   node examples/handover-bot.mjs
import { call } from './api.mjs';
import { startBot } from './bot-kit.mjs';

const command = (text, meta) => ({ type: 'command', text, ...(meta && { meta }) });

/** Who may be asked: the agents of the organization. */
async function prepare({ token }) {
  return async () => (await call('GET', '/users?role=agent', { token })).map(({ id }) => id);
}

async function hear({ message, conversation, bot, prepared: agents, say }) {
  const others = conversation.participants.filter(({ user, accepted }) => user !== bot.id && accepted);
  const mine = conversation.participants.some(({ user, accepted }) => user === bot.id && accepted);
  if (message.type === 'command') {
    // A person has accepted: the bot is no longer needed.
    if (message.text === '/accept' && message.user !== bot.id && mine) {
      await say({ text: 'You are talking to a person now.' }, command('/leave'));
    }
    return;
  }
  if (others.length > 0) return;
  const greeting = { text: 'Hello! I am a bot. Write "human" to talk to a person.' };
  if (!mine) await say(command('/accept'), greeting);
  if (!/\bhuman\b/i.test(message.text)) return;
  const users = await agents();
  const waiting = { text: 'I am looking for somebody. One moment, please.' };
  await say(waiting, command('/notify'), ...(users.length > 0 ? [command('/assign', { users })] : []));
}

await startBot({
  name: 'handover bot',
  events: ['message.create.contact.chat.contact', 'message.create.contact.command'],
  prepare,
  hear,
});
