import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Meta } from '../../domain/messages/message.ts';
import { ttlCache } from '../queries/ttl-cache.ts';

/** `former` is the replaced secret while it is still valid. */
export interface WidgetSecret {
  secret: string;
  createdAt: Date;
  former?: { secret: string; until: Date };
}

/** An organization (spec 4.3). */
export interface OrganizationDocument {
  _id: string;
  name: string;
  displayName?: string;
  email?: string;
  url?: string;
  /** ISO 3166, two letters: the default region of telephone numbers. */
  country?: string;
  logo?: string;
  industry?: string;
  status?: string;
  tags: string[];
  parent?: string;
  /** Ids from the root to the organization itself, joined by `#`. */
  path: string;
  level: number;
  categories: { name: string; forms: string[] }[];
  settings?: Meta;
  meta: Meta;
  /** Signs visitors' identities (spec 13.4). Returned only on creation. */
  widgetSecret?: WidgetSecret;
  /** Mark of a removal that may still be cancelled. */
  removal?: string;
  /** Set when the removal is decided. The document is deleted next. */
  removedAt?: Date;
  createdBy?: string;
  createdAt: Date;
  updatedAt: Date;
}

const { Mixed } = mongoose.Schema.Types;

const organizationSchema = new mongoose.Schema<OrganizationDocument>(
  {
    _id: String,
    name: String,
    displayName: String,
    email: String,
    url: String,
    country: String,
    logo: String,
    industry: String,
    status: String,
    tags: [String],
    parent: String,
    path: String,
    level: Number,
    categories: [Mixed],
    settings: Mixed,
    meta: Mixed,
    widgetSecret: Mixed,
    removal: String,
    removedAt: Date,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'organizations', versionKey: false, minimize: false, strict: true },
);

organizationSchema.index({ path: 1 }, { unique: true });
organizationSchema.index({ parent: 1, _id: 1 });

export const organizationModel = defineModel<OrganizationDocument>('Organization', organizationSchema);

export interface OrganizationContext {
  title: string;
  /** Tenant path. */
  path: string[];
  /** Transfer links by touchpoint code, with the placeholder `{slug}` (spec 5). */
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

/** Returns a context at most five seconds old, but this process sees its own changes at once. */
export async function organizationContext(id: string): Promise<OrganizationContext | null> {
  const line = await organizationContexts.get(id);
  // Do not cache null: the organization may be created at any moment.
  if (!line) organizationContexts.forget(id);
  return line;
}

/** Drops the cached context. Call after changing an organization. */
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
