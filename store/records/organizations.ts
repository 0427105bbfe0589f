import Type from 'typebox';
import {
  EXAMPLE_IDS,
  Email,
  Meta,
  Name,
  Reference,
  Settings,
  Tags,
  Time,
  Url,
  about,
  always,
  idOf,
  object,
  patterned,
  referenceTo,
  shownText,
} from '../../schema/kinds.ts';
import { answerOnly, declareRecord, internal, shownEmpty, withDefault } from '../../schema/record.ts';
import { MAX_CATEGORY_CHARACTERS } from '../../domain/conversations/bounds.ts';
import { defineRecordModel } from '../connection/model.ts';
import type { RecordDocument } from '../connection/model.ts';
import { ttlCache } from '../queries/ttl-cache.ts';

/** `former`: the replaced secret, valid until `until`. */
export interface WidgetSecret {
  secret: string;
  createdAt: Date;
  former?: { secret: string; until: Date };
}

const Category = object('Category', 'What conversations may be about.', {
  name: about(shownText({ max: MAX_CATEGORY_CHARACTERS }), 'The name.', 'sales'),
  forms: Type.Optional(
    about(Type.Array(Reference, { maxItems: 1000 }), 'The ids of the forms that may be added under it.', [
      EXAMPLE_IDS.forms,
    ]),
  ),
});

const CATEGORIES = 'What its conversations may be about, in order.';

/** See spec 4.3. */
export const organizationRecord = declareRecord({
  resource: 'organizations',
  title: 'Organization',
  description: 'Who owns conversations, contacts and users.',
  fields: {
    name: about(Name, 'The name.', 'Example Shops'),
    displayName: Type.Optional(about(Name, 'The name that contacts see.', 'Example')),
    email: Type.Optional(about(Email, 'How it is reached.', 'info@example.com')),
    url: Type.Optional(about(Url, 'Its website.', 'https://example.com/')),
    // The default region of telephone numbers.
    country: Type.Optional(
      patterned('^[A-Z]{2}$', { words: 'two capital letters, as in ISO 3166', example: 'NL' }),
    ),
    logo: Type.Optional(about(Url, 'Its logo.', 'https://example.com/logo.png')),
    industry: Type.Optional(about(Name, 'What it does.', 'retail')),
    status: Type.Optional(about(Name, 'A status of its own.', 'live')),
    tags: withDefault(Tags, []),
    categories: withDefault(about(Type.Array(Category, { maxItems: 1000 }), CATEGORIES), []),
    settings: shownEmpty(Settings),
    meta: withDefault(Meta, {}),
    parent: Type.Optional(
      referenceTo('organizations', "The organization above it; the caller's where absent."),
    ),
    path: answerOnly(
      about(Type.String(), 'The ids from the root down to it, joined by `#`.', EXAMPLE_IDS.organizations),
    ),
    level: answerOnly(about(Type.Integer(), 'How far below the root it is.', 0)),
    // Signs the identities of visitors (spec 13.4).
    widgetSecret: internal(Type.Optional(Type.Unsafe<WidgetSecret>({ type: 'object' }))),
    // Mark of a removal that may still be cancelled.
    removal: internal(Type.Optional(Type.String())),
    // Set when the removal is decided. The document is deleted next.
    removedAt: internal(Type.Optional(Time)),
  },
  answer: {
    categories: about(
      Type.Array(
        object('OrganizationCategory', 'What conversations may be about.', {
          ...Category.properties,
          ...always({ forms: Category.properties.forms }),
        }),
      ),
      CATEGORIES,
    ),
    parent: Type.Optional(idOf('organizations', 'The organization above it; the root has none.')),
  },
});

export type OrganizationDocument = Omit<
  RecordDocument<typeof organizationRecord>,
  'organization' | 'categories'
> & { categories: { name: string; forms: string[] }[] };

export const organizationModel = defineRecordModel<OrganizationDocument>('Organization', organizationRecord, [
  [{ path: 1 }, { unique: true }],
  [{ parent: 1, _id: 1 }],
]);

export interface OrganizationContext {
  title: string;
  /** Tenant path. */
  path: string[];
  /** Templates by touchpoint code, with the placeholder `{slug}` (spec 5). */
  links: Record<string, string>;
  country?: string;
  categories: { name: string; forms: string[] }[];
}

const MAX_AGE_MS = 5_000;

const organizationContexts = ttlCache<OrganizationContext | null>({
  maxAgeMs: MAX_AGE_MS,
  max: 10_000,
  load: loadOrganizationContext,
});

/** Returns a context at most five seconds old. This process sees its own changes at once. */
export async function organizationContext(id: string): Promise<OrganizationContext | null> {
  const line = await organizationContexts.get(id);
  // Null is not cached: the organization may be created at any moment.
  if (!line) organizationContexts.forget(id);
  return line;
}

/** Call after changing an organization. */
export function forgetOrganizationContext(id: string): void {
  organizationContexts.forget(id);
}

async function loadOrganizationContext(id: string): Promise<OrganizationContext | null> {
  const found = await organizationModel
    .findById(id, { name: 1, displayName: 1, path: 1, country: 1, categories: 1, 'meta.links': 1 })
    .lean();
  if (!found) return null;
  return {
    title: found.displayName ?? found.name,
    path: found.path.split('#'),
    links: textValues(found.meta.links),
    ...(found.country ? { country: found.country } : {}),
    categories: found.categories,
  };
}

function textValues(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** Returns null before the first start. */
export async function findRootOrganization(): Promise<OrganizationDocument | null> {
  return organizationModel.findOne({ level: 0 }).sort({ _id: 1 }).lean<OrganizationDocument>();
}

/** Does nothing if any organization exists. */
export async function ensureRootOrganization({ id, name }: { id: string; name: string }): Promise<void> {
  if (await organizationModel.exists({})) return;
  const now = new Date();
  const root = { _id: id, name, path: id, level: 0, tags: [], categories: [], meta: {} };
  await organizationModel.updateOne(
    { _id: id },
    { $setOnInsert: { ...root, createdAt: now, updatedAt: now } },
    { upsert: true },
  );
}

export async function removeFromCategories(form: string): Promise<void> {
  await organizationModel.updateMany(
    { 'categories.forms': form },
    { $pull: { 'categories.$[].forms': form } },
  );
}
