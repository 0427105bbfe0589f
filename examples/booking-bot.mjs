// Bot that books test drives. It opens a form, offers quick replies for each field, and sends the
// results. The bot is stateless: the form in the conversation holds the values. Run it beside `npm
// start`, then open the chat page of a contact's conversation:
//
//   node examples/booking-bot.mjs
import { setTimeout } from 'node:timers/promises';
import { findOrCreate } from './api.mjs';
import { startBot } from './bot-kit.mjs';

const FORM = 'Test drive';
const CATEGORY = 'Test drives';

const QUESTIONS = [
  { key: 'car', name: 'Car', ask: 'Which car would you like to drive?', choices: ['City', 'Family', 'Van'] },
  { key: 'day', name: 'Day', ask: 'Which day suits you?', choices: ['Monday', 'Tuesday', 'Friday'] },
  { key: 'time', name: 'Time', ask: 'And when?', choices: ['Morning', 'Afternoon'] },
];

async function prepare(admin) {
  const { parlance, organization } = admin;
  const fields = QUESTIONS.map(({ key, name }) => ({ key, name }));
  const form = await findOrCreate(admin, '/forms', { name: FORM, type: 'topic', fields }, 'name');
  const path = { id: organization };
  const { categories = [] } = await parlance.call('GET /organizations/{id}', { path });
  if (!categories.some(({ name }) => name === CATEGORY)) {
    const body = { categories: [...categories, { name: CATEGORY, forms: [form.id] }] };
    await parlance.call('PATCH /organizations/{id}', { path, body });
    // Every process of Parlance reads the new category within five seconds.
    await setTimeout(5_000);
  }
  return form;
}

/** Returns the question for the first empty field, or null if all fields are filled. */
function question(values) {
  const next = QUESTIONS.find(({ key }) => values[key] === undefined);
  if (!next) return null;
  const actions = next.choices.map((text) => ({ type: 'reply', text, payload: `${next.key}=${text}` }));
  return { text: next.ask, actions };
}

function hear({ message, conversation, prepared: form, reply }) {
  const open = conversation.forms.find((one) => one.form === form.id);
  if (!open) {
    reply({ type: 'form', text: `+${FORM}`, meta: { category: CATEGORY } }, question({}));
    return;
  }
  const [, key, value] = /^(\w+)=(.+)$/s.exec(message.text) ?? [];
  const asked = QUESTIONS.find((one) => one.key === key && one.choices.includes(value));
  if (!asked) {
    reply({ ...question(open.values), text: `Please choose: ${question(open.values).text}` });
    return;
  }
  const values = { ...open.values, [key]: value };
  const field = { type: 'field', text: `.${key} ${value}`, meta: { form: form.id } };
  const next = question(values);
  if (next) {
    reply(field, next);
    return;
  }
  const results = [{ form: form.id, formName: FORM, type: 'topic', values }];
  reply(
    field,
    { type: 'results', text: 'Test drive booked', results },
    { text: `Booked: ${values.car}, ${values.day}, ${values.time.toLowerCase()}. See you!` },
  );
}

await startBot({
  name: 'booking bot',
  events: ['message.create.*.chat.contact', 'message.create.*.postback.contact'],
  prepare,
  hear,
});
