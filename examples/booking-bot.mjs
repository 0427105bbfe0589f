// A bot that books test drives: it opens a form, asks for each field with quick replies, and sends
// the results. It remembers nothing: the conversation's form holds what is known. Run it beside
// `npm start`, then open the address of a contact's conversation:
//
//   node examples/booking-bot.mjs
import { setTimeout } from 'node:timers/promises';
import { findOrCreate } from './api.mjs';
import { startBot } from './bot-kit.mjs';

const FORM = 'Test drive';
const CATEGORY = 'Test drives';

/** What the form asks, in order. */
const QUESTIONS = [
  { key: 'car', name: 'Car', ask: 'Which car would you like to drive?', choices: ['City', 'Family', 'Van'] },
  { key: 'day', name: 'Day', ask: 'Which day suits you?', choices: ['Monday', 'Tuesday', 'Friday'] },
  { key: 'time', name: 'Time', ask: 'And when?', choices: ['Morning', 'Afternoon'] },
];

/** Makes the form and lists it under a category of the organization. */
async function prepare({ parlance, organization }) {
  const fields = QUESTIONS.map(({ key, name }) => ({ key, name }));
  const form = await findOrCreate(parlance, '/forms', { name: FORM, type: 'topic', fields }, 'name');
  const path = { id: organization };
  const { categories = [] } = await parlance.call('GET /organizations/{id}', { path });
  if (!categories.some(({ name }) => name === CATEGORY)) {
    const body = { categories: [...categories, { name: CATEGORY, forms: [form.id] }] };
    await parlance.call('PATCH /organizations/{id}', { path, body });
    // A new category is known to all processes of Parlance within five seconds.
    await setTimeout(5_000);
  }
  return form;
}

/** Asks for the first field that is not known yet; answers null when there is none. */
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
