// Sends a business event, as a shop's computer would: an order was shipped. An event type turns it
// into a message to the customer, who is found or made by their email. Run it beside `npm start`:
//
//   node examples/send-event.mjs ada@example.com 4711
import { randomUUID } from 'node:crypto';
import { API, call, findOrCreate, signIn } from './api.mjs';

const [email = 'ada@example.com', order = '4711'] = process.argv.slice(2);
const NAME = 'order.shipped';

/** JSONata: what the event becomes. `$$` is the event. */
const expression = (organization) => `{
  "organization": "${organization}",
  "type": "contact",
  "contact": { "profile": { "email": customer.email } },
  "messages": [{
    "type": "chat",
    "isBackchannel": false,
    "text": "Your order " & number & " is on its way: " & $join(lines.title, ", ") & "."
  }]
}`;

const { token, organization } = await signIn();
const eventType = await findOrCreate(
  token,
  '/eventtypes',
  { name: NAME, description: 'An order left the house' },
  'name',
);
const saved = await fetch(`${API}/eventtypes/${eventType.id}/jsonata`, {
  method: 'PUT',
  headers: { 'Content-Type': 'text/plain', Authorization: `Bearer ${token}` },
  body: expression(organization),
});
if (!saved.ok) throw new Error(`the expression was refused: ${await saved.text()}`);

// The key makes it safe to send the same event again when the answer was lost.
const response = await fetch(`${API}/events/${NAME}`, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
    Authorization: `Bearer ${token}`,
  },
  body: JSON.stringify({
    number: order,
    customer: { email },
    lines: [{ title: 'Teapot' }, { title: 'Cups' }],
  }),
});
const outcome = await response.json();
if (!response.ok) throw new Error(`the event was refused: ${outcome.message}`);
const { url } = await call('GET', `/conversations/${outcome.conversations[0]}`, { token });
console.log(`${NAME}: ${outcome.status}, see ${url}`);
