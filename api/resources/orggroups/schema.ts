import Type from 'typebox';
import { Id, Meta, Name, Reference, Time, patchOf } from '../../../schema/kinds.ts';

const MAX_ORGANIZATIONS = 1000;

const fields = {
  name: Name,
  organization: Type.Optional(Reference),
  organizations: Type.Optional(Type.Array(Reference, { maxItems: MAX_ORGANIZATIONS, uniqueItems: true })),
  meta: Type.Optional(Meta),
};

/** What a caller says of an organization group (spec 4.3). */
export const orgGroupInput = Type.Object(fields);

export const orgGroupPatch = patchOf(orgGroupInput, ['name', 'organization']);

/** An organization group as it is shown. */
export const orgGroupSchema = Type.Object({
  id: Id,
  organization: Id,
  name: Type.String(),
  organizations: Type.Array(Id),
  meta: Meta,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});
