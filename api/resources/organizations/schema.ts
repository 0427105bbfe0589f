import Type from 'typebox';
import { MAX_CATEGORY_CHARACTERS } from '../../../domain/conversations/bounds.ts';
import {
  EXAMPLE_IDS,
  Email,
  Meta,
  Name,
  Reference,
  Settings,
  Tags,
  Url,
  about,
  always,
  idOf,
  madeAndChanged,
  named,
  object,
  patchOf,
  patterned,
  referenceTo,
  shownText,
} from '../../../application/schema/kinds.ts';
import { buildPaths } from '../../listing/paths.ts';
import { presentOrganization } from '../../../application/presenters/organization.ts';
import {
  findOrganization,
  findOrganizationsByIds,
  listOrganizations,
} from '../../../store/records/find-organizations.ts';
import type { OrganizationDocument } from '../../../store/records/organizations.ts';
import type { RecordSource } from '../../records/resource.ts';

const Category = object('Category', 'What conversations may be about.', {
  name: about(shownText({ max: MAX_CATEGORY_CHARACTERS }), 'The name.', 'sales'),
  forms: Type.Optional(
    about(Type.Array(Reference, { maxItems: 1000 }), 'The ids of the forms that may be added under it.', [
      EXAMPLE_IDS.forms,
    ]),
  ),
});

/** See spec 4.3. */
const fields = {
  name: about(Name, 'The name.', 'Example Shops'),
  displayName: Type.Optional(about(Name, 'The name that contacts see.', 'Example')),
  email: Type.Optional(about(Email, 'How it is reached.', 'info@example.com')),
  url: Type.Optional(about(Url, 'Its website.', 'https://example.com/')),
  country: Type.Optional(
    patterned('^[A-Z]{2}$', { words: 'two capital letters, as in ISO 3166', example: 'NL' }),
  ),
  logo: Type.Optional(about(Url, 'Its logo.', 'https://example.com/logo.png')),
  industry: Type.Optional(about(Name, 'What it does.', 'retail')),
  status: Type.Optional(about(Name, 'A status of its own.', 'live')),
  tags: Type.Optional(Tags),
  categories: Type.Optional(
    about(Type.Array(Category, { maxItems: 1000 }), 'What its conversations may be about, in order.'),
  ),
  settings: Type.Optional(Settings),
  meta: Type.Optional(Meta),
};

export const organizationInput = object('OrganizationInput', 'An organization to create.', {
  ...fields,
  parent: Type.Optional(
    referenceTo('organizations', "The organization above it; the caller's where absent."),
  ),
});

export const organizationPatch = named('OrganizationPatch', patchOf(organizationInput, ['name', 'parent']));

const shownCategory = object('OrganizationCategory', 'What conversations may be about.', {
  ...Category.properties,
  ...always({ forms: Category.properties.forms }),
});

const { tags, settings, meta } = fields;

const organizationSchema = object('Organization', 'Who owns conversations, contacts and users.', {
  id: idOf('organizations', 'Its id.'),
  ...fields,
  ...always({ tags, settings, meta }),
  categories: about(Type.Array(shownCategory), 'What its conversations may be about, in order.'),
  parent: Type.Optional(idOf('organizations', 'The organization above it; the root has none.')),
  path: about(Type.String(), 'The ids from the root down to it, joined by `#`.', EXAMPLE_IDS.organizations),
  level: about(Type.Integer(), 'How far below the root it is.', 0),
  ...madeAndChanged,
});

/** Fields that queries may use. */
export const organizationPaths = buildPaths(organizationSchema);

export const organizations: RecordSource<OrganizationDocument, 'organizations'> = {
  name: 'organizations',
  schema: organizationSchema,
  paths: organizationPaths,
  present: presentOrganization,
  find: findOrganization,
  findMany: findOrganizationsByIds,
  list: listOrganizations,
};
