import Type from 'typebox';
import { MAX_SERVICES } from '../../../domain/conversations/touchpoint.ts';
import { FORM_TYPES } from '../../../domain/messages/message.ts';
import { conversationFields } from '../../../schema/conversation-body.ts';
import { Id, Meta, Reference, oneOf, patchOf, text } from '../../../schema/kinds.ts';

/**
 * More than a conversation holds of anything (domain/conversations/bounds.ts), which says so in its
 * own words.
 */
const MAX_ENTRIES = 1_000;
const MAX_TOUCHPOINTS = 100;

/** Their organization is the user's. */
const Participant = Type.Object({
  user: Reference,
  role: Type.Optional(text({ max: 64 })),
  unreadCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  active: Type.Optional(Type.Boolean()),
  inbox: Type.Optional(Type.Boolean()),
  accepted: Type.Optional(Type.Boolean()),
  follow: Type.Optional(Type.Boolean()),
  status: Type.Optional(text({ max: 64 })),
});

const Form = Type.Object({
  form: Id,
  name: text({ max: 256 }),
  type: Type.Optional(oneOf(FORM_TYPES)),
  category: Type.Optional(text({ max: 256 })),
  categoryIndex: Type.Optional(Type.Integer({ minimum: 0 })),
  values: Type.Optional(Meta),
});

const Touchpoint = Type.Object({
  services: Type.Array(Reference, { maxItems: MAX_SERVICES }),
  selected: Type.Optional(Type.Boolean()),
});

/** The body of PATCH /conversations/{id}: a repair (spec 5.9). */
export const conversationPatch = patchOf(
  Type.Object({
    ...conversationFields,
    contact: Type.Optional(Reference),
    participants: Type.Optional(Type.Array(Participant, { maxItems: MAX_ENTRIES })),
    touchpoints: Type.Optional(Type.Record(Type.String(), Touchpoint, { maxProperties: MAX_TOUCHPOINTS })),
    forms: Type.Optional(Type.Array(Form, { maxItems: MAX_ENTRIES })),
    channels: Type.Optional(Type.Array(Reference, { maxItems: MAX_ENTRIES })),
    channelsOffline: Type.Optional(Type.Array(Reference, { maxItems: MAX_ENTRIES })),
  }),
  // A contact is not taken away from its conversation.
  ['contact'],
);
