// Sends the business event of a shop system: an order was shipped. An event type turns the event
// into a message to the customer. Run it beside `npm start`:
//
//   node examples/send-event.mjs ada@example.com 4711
import { findOrCreate, signIn } from './api.mjs';

const [email = 'ada@example.com', order = '4711'] = process.argv.slice(2);
const NAME = 'order.shipped';

/** JSONata expression of the event type. `$$` is the event. */
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

const admin = await signIn();
const { parlance, organization } = admin;
const description = 'An order left the house';
const eventType = await findOrCreate(admin, '/eventtypes', { name: NAME, description }, 'name');
await parlance.call('PUT /eventtypes/{id}/jsonata', {
  path: { id: eventType.id },
  body: expression(organization),
});

// The client adds an idempotency key, so a retry after a lost response has no second effect.
const { status, conversations } = await parlance.call('POST /events/{name}', {
  path: { name: NAME },
  body: { number: order, customer: { email }, lines: [{ title: 'Teapot' }, { title: 'Cups' }] },
});
const { url } = await parlance.call('GET /conversations/{id}', { path: { id: conversations[0] } });
console.log(`${NAME}: ${status}, see ${url}`);
