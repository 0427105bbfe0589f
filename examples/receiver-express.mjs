// Receives webhooks with Express, and replies to each message of a contact. WEBHOOK_SECRET is the
// secret of the webhook, BOT_KEY an API key of its bot.
//
//   npm install express standardwebhooks
//   node receiver-express.mjs
import express from 'express';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET, BOT_KEY: token, PORT = '4000' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);
const app = express();

// Parlance requests the address once, when the webhook is created.
app.get('/parlance', (request, response) => response.sendStatus(200));

// The signature covers the raw body, so the body must not be parsed before.
app.post('/parlance', express.raw({ type: 'application/json', limit: '16mb' }), (request, response) => {
  let body;
  try {
    body = webhook.verify(request.body, request.headers);
  } catch {
    return response.sendStatus(401);
  }
  const { event, data } = body;
  const isQuestion = event.startsWith('message.create.') && data.message.role === 'contact';
  if (!isQuestion) return response.sendStatus(204);
  // An event may arrive twice. Parlance posts the reply to it once.
  const reply = { text: `You said: ${data.message.text}`, isBackchannel: false };
  response.json({ token, messages: [reply] });
});

app.listen(Number(PORT), () => console.log(`The receiver listens on port ${PORT}.`));
