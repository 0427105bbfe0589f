import Type from 'typebox';
import { Id, Meta, Name, Reference, Time, patchOf } from '../../../schema/kinds.ts';

const MAX_MEMBERS = 1000;

const Member = Type.Object({ user: Reference, online: Type.Optional(Type.Boolean()) });

const fields = {
  name: Name,
  organization: Type.Optional(Reference),
  members: Type.Optional(Type.Array(Member, { maxItems: MAX_MEMBERS })),
  meta: Type.Optional(Meta),
};

/** What a caller says of a channel (spec 4.3). */
export const channelInput = Type.Object(fields);

export const channelPatch = patchOf(channelInput, ['name', 'organization']);

/** The body of PUT /channels/{id}/online. */
export const onlineInput = Type.Object({ online: Type.Boolean() });

/** A channel as it is shown. */
export const channelSchema = Type.Object({
  id: Id,
  organization: Id,
  name: Type.String(),
  members: Type.Array(Type.Object({ user: Id, online: Type.Boolean() })),
  meta: Meta,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});
