import { localize } from '../language.ts';

export const TEAMS_WORDS = {
  online: 'Who is online',
  nobody: 'It has no members yet.',
  states: { true: 'Online', false: 'Offline' } as Readonly<Record<string, string>>,
  enter: 'I am online here',
  leave: 'I am offline here',
};
localize('teams', TEAMS_WORDS);

export const WIDGET_WORDS = {
  title: 'Chat page and widget',
  origins: 'Websites that may have the widget',
  originsHint:
    'The address of a website on each line, as https://www.example.com. Without one, the widget does not appear.',
  colour: 'Colour',
  welcome: 'Welcome text',
  hours: 'Opening hours',
  preview: 'Appearance',
  sample: 'Hello, can you help me?',
  save: 'Save the look',
  snippet: 'Add this line to every page of the website:',
  snippetLabel: 'Line for the website',
};
localize('widget', WIDGET_WORDS);

export const KIND_WORDS = {
  users: { title: 'Users', one: 'user' },
  organizations: { title: 'Organizations', one: 'organization' },
  orggroups: { title: 'Groups', one: 'group' },
  channels: { title: 'Teams', one: 'team' },
  forms: { title: 'Forms', one: 'form' },
  kbitems: { title: 'Knowledge', one: 'knowledge item' },
  countryHint: 'Two letters, as NL: the country of telephone numbers without a country code.',
  knowledgeHint: 'A saved answer. Agents type / and its title, and it is put into their reply.',
  ratingForm: { make: 'Make a form for ratings', name: 'Satisfaction', rating: 'Rating', comment: 'Comment' },
  ratingFormHint:
    'Contacts rate a closed conversation. The form has a field with the key rating, and comment for words.',
  /** Values that a record has by choice, by their code. */
  options: {
    agent: 'agent',
    bot: 'bot',
    admin: 'admin',
    viewer: 'viewer',
    contact: 'contact',
    system: 'system',
    online: 'online',
    away: 'away',
    offline: 'offline',
    topic: 'topic',
    static: 'static',
  } as Readonly<Record<string, string>>,
  rows: {
    name: 'Name',
    forms: 'Forms',
    countForms: (count: number) => (count === 1 ? '1 form' : `${count} forms`),
    label: 'Label',
    key: 'Key',
    addCategory: 'Add a category',
    addField: 'Add a field',
    remove: (name: string) => `Remove ${name}`,
  },
  forPrograms: (label: string) => `${label} for programs (JSON)`,
  emailHint: 'The user signs in with it. Without an email, the user gets an address of this service.',
  passwordHint: 'At least ten characters.',
};
localize('kinds', KIND_WORDS);

export const TASK_WORDS = {
  title: 'First steps',
  here: 'Add to this organization',
  name: 'Add your name, which contacts see',
  agent: 'Invite an agent',
  widget: 'Add the widget to your website',
  bot: 'Connect a bot',
  webhook: 'Add a webhook',
};
localize('tasks', TASK_WORDS);
