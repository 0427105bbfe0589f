// Bot that repeats the messages of contacts. Run it beside `npm start`:
//
//   node examples/echo-bot.mjs
import { startBot } from './bot-kit.mjs';

await startBot({
  name: 'echo bot',
  events: ['message.create.*.chat.contact'],
  hear({ message, reply }) {
    console.log(message.text);
    reply(`You said: ${message.text}`);
  },
});
