import Type from 'typebox';
import { pathsOf } from '../../listing/paths.ts';
import {
  Email,
  Id,
  Meta,
  Name,
  Reference,
  Tags,
  Time,
  Url,
  patchOf,
  patterned,
} from '../../../schema/kinds.ts';

const Category = Type.Object({
  name: Name,
  forms: Type.Optional(Type.Array(Reference, { maxItems: 1000 })),
});

/** What a caller says of an organization (spec 4.3). */
const fields = {
  name: Name,
  displayName: Type.Optional(Name),
  email: Type.Optional(Email),
  url: Type.Optional(Url),
  country: Type.Optional(patterned('^[A-Z]{2}$', { words: 'two capital letters, as in ISO 3166' })),
  logo: Type.Optional(Url),
  industry: Type.Optional(Name),
  status: Type.Optional(Name),
  tags: Type.Optional(Tags),
  categories: Type.Optional(Type.Array(Category, { maxItems: 1000 })),
  settings: Type.Optional(Meta),
  meta: Type.Optional(Meta),
};

export const organizationInput = Type.Object({ ...fields, parent: Type.Optional(Reference) });

export const organizationPatch = patchOf(organizationInput, ['name', 'parent']);

/** An organization as it is shown. */
export const organizationSchema = Type.Object({
  id: Id,
  ...fields,
  parent: Type.Optional(Id),
  path: Type.String(),
  level: Type.Integer(),
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});

/** The fields of organizations that queries may name. */
export const organizationPaths = pathsOf(organizationSchema);
