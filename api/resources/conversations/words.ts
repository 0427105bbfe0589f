/** What the fields of a conversation's parts are: the same in bodies and answers. */

export const PARTICIPANT_WORDS = {
  user: 'The user.',
  role: 'Their role when they joined.',
  unreadCount: 'How many messages they have not read.',
  active: 'Whether they are busy with the conversation.',
  inbox: 'Whether it is in their inbox: it was assigned, and not accepted yet.',
  accepted: 'Whether they have accepted it.',
  follow: 'Whether they follow it.',
  status: 'A status of their own.',
} as const;

export const FORM_WORDS = {
  form: 'The id of the form.',
  name: 'Its name.',
  type: 'A `static` form stays; a `topic` is picked.',
  category: 'The category that it was added under.',
  categoryIndex: 'The index of that category.',
  values: 'What was filled in so far, by key.',
} as const;

export const TOUCHPOINT_WORDS = {
  services: 'The ids of the services that serve it.',
  selected: 'Whether it is the one in use.',
} as const;
