import Type from 'typebox';
import { Id, Language, Meta, Name, Reference, Tags, Time, patchOf, text } from '../../../schema/kinds.ts';

const MAX_CONTENT = 200_000;

const fields = {
  title: Name,
  organization: Type.Optional(Reference),
  content: Type.Optional(text({ min: 0, max: MAX_CONTENT })),
  language: Type.Optional(Language),
  tags: Type.Optional(Tags),
  meta: Type.Optional(Meta),
};

/** What a caller says of a knowledge item (spec 4.3). */
export const kbItemInput = Type.Object(fields);

export const kbItemPatch = patchOf(kbItemInput, ['title', 'organization']);

/** A knowledge item as it is shown. */
export const kbItemSchema = Type.Object({
  id: Id,
  organization: Id,
  title: Type.String(),
  content: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  tags: Type.Array(Type.String()),
  meta: Meta,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});
