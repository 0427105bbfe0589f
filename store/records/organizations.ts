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
  oneOf,
  shownText,
  text,
} from '../../schema/kinds.ts';
import { answerOnly, declareRecord, internal, shownEmpty, withDefault } from '../../schema/record.ts';
import { MAX_CATEGORY_CHARACTERS } from '../../domain/conversations/bounds.ts';
import { CONVERSATION_TYPES } from '../../domain/conversations/conversation.ts';
import { BUSINESS_EVENT_NAME } from '../../domain/events/business-event.ts';
import { WEEKDAYS } from '../../domain/timers/hours.ts';
import { MAX_AFTER_MS, MIN_AFTER_MS } from '../../domain/timers/duration.ts';
import { MAX_TIMERS } from '../../domain/timers/bounds.ts';
import { TIMER_STATES } from '../../domain/timers/timing.ts';
import { defineRecordModel } from '../connection/model.ts';
import type { RecordDocument } from '../connection/model.ts';
import { ttlCache } from '../queries/ttl-cache.ts';

/** `former`: the replaced secret, valid until `until`. */
export interface WidgetSecret {
  secret: string;
  createdAt: Date;
  former?: { secret: string; until: Date };
}

const Category = object('Category', 'A category of conversations.', {
  name: about(shownText({ max: MAX_CATEGORY_CHARACTERS }), 'The name.', 'sales'),
  forms: Type.Optional(
    about(
      Type.Array(Reference, { maxItems: 1000 }),
      'The ids of the forms that may be added under the category.',
      [EXAMPLE_IDS.forms],
    ),
  ),
});

const OnlyWords = (description: string, example: string) =>
  Type.Optional(
    about(Type.Array(shownText({ max: 256 }), { minItems: 1, maxItems: 20 }), description, [example]),
  );

const TimeOfDay = (example: string) =>
  patterned('^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$', { words: 'a time of day as in 09:30', example });

const TimerHours = object('TimerHours', 'The hours that a timer counts.', {
  timeZone: about(text({ max: 64 }), 'The name of the time zone.', 'Europe/Amsterdam'),
  week: about(
    Type.Array(
      object('TimerHoursOfDays', 'Opening hours of some days.', {
        days: about(Type.Array(oneOf(WEEKDAYS), { minItems: 1, maxItems: 7 }), 'The days.', ['mon', 'fri']),
        from: TimeOfDay('09:00'),
        to: TimeOfDay('17:00'),
      }),
      { minItems: 1, maxItems: 28 },
    ),
    'The weekly hours.',
  ),
});

export const OrganizationTimer = object(
  'OrganizationTimer',
  'A timer that posts an event after a period of inactivity.',
  {
    name: about(
      shownText({ max: 64 }),
      'The name. A timer replaces the timer with the same name of an organization above.',
      'nobody',
    ),
    when: about(
      oneOf(TIMER_STATES),
      '`queued`: no agent has taken the conversation. `waiting`: the contact has no reply of an agent or bot. ' +
        '`quiet`: no message arrives. `accepted`: an agent has taken the conversation and not replied. ' +
        '`unread`: the contact has not read a reply on the chat page.',
      'queued',
    ),
    after: about(
      Type.Union([Type.Integer({ minimum: MIN_AFTER_MS, maximum: MAX_AFTER_MS }), text({ max: 40 })]),
      'The duration: milliseconds, or ISO 8601 without months and years. 1 second to 400 days.',
      'PT30M',
    ),
    only: Type.Optional(
      object('OrganizationTimerOnly', 'The conversations of the timer. Default: all.', {
        category: OnlyWords('With one of these categories.', 'sales'),
        type: Type.Optional(
          about(
            Type.Array(oneOf(CONVERSATION_TYPES), { minItems: 1, maxItems: 6 }),
            'With one of these types.',
            ['contact'],
          ),
        ),
        touchpoint: OnlyWords('With one of these touchpoints selected.', 'web'),
      }),
    ),
    hours: Type.Optional(TimerHours),
    disabled: Type.Optional(
      about(Type.Boolean(), 'Disables the timer, and the timer above with the same name.', false),
    ),
    event: patterned(BUSINESS_EVENT_NAME.pattern, { ...BUSINESS_EVENT_NAME, example: 'nobody.there' }),
    user: referenceTo(
      'bots',
      'The bot that posts the event: a bot of the organization, or of an organization above it.',
    ),
  },
);

const CATEGORIES = 'The categories of conversations, in order.';
const TIMERS = 'Timers for inactivity in conversations of the organization and below it.';

/** See spec 4.3. */
export const organizationRecord = declareRecord({
  resource: 'organizations',
  title: 'Organization',
  description: 'The owner of conversations, contacts and users.',
  fields: {
    name: about(Name, 'The name.', 'Example Shops'),
    displayName: Type.Optional(about(Name, 'The name that contacts see.', 'Example')),
    email: Type.Optional(about(Email, 'The email address of the organization.', 'info@example.com')),
    url: Type.Optional(about(Url, 'The website.', 'https://example.com/')),
    // The default region of telephone numbers.
    country: Type.Optional(
      patterned('^[A-Z]{2}$', { words: 'two capital letters, as in ISO 3166 (NL)', example: 'NL' }),
    ),
    logo: Type.Optional(about(Url, 'The logo.', 'https://example.com/logo.png')),
    industry: Type.Optional(about(Name, 'The industry.', 'retail')),
    status: Type.Optional(about(Name, 'A custom status.', 'live')),
    tags: withDefault(Tags, []),
    categories: withDefault(about(Type.Array(Category, { maxItems: 1000 }), CATEGORIES), []),
    ratingForm: Type.Optional(
      referenceTo(
        'forms',
        'The form of ratings: contacts rate a closed conversation on the chat page. It has a field `rating`, ' +
          'and a field `comment` if contacts may write. Default: the one of the organization above.',
      ),
    ),
    timers: withDefault(about(Type.Array(OrganizationTimer, { maxItems: MAX_TIMERS }), TIMERS), []),
    settings: shownEmpty(Settings),
    meta: withDefault(Meta, {}),
    parent: Type.Optional(referenceTo('organizations', "The organization above. Default: the caller's.")),
    path: answerOnly(
      about(
        Type.String(),
        'The ids from the root down to the organization, joined by `#`.',
        EXAMPLE_IDS.organizations,
      ),
    ),
    level: answerOnly(about(Type.Integer(), 'The number of levels below the root.', 0)),
    // When to compute again at which times its conversations wake, after a change of its timers.
    retimeAt: internal(Type.Optional(Time)),
    // Likewise for the category indexes, after a change of its categories.
    reindexAt: internal(Type.Optional(Time)),
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
        object('OrganizationCategory', 'A category of conversations.', {
          ...Category.properties,
          ...always({ forms: Category.properties.forms }),
        }),
      ),
      CATEGORIES,
    ),
    parent: Type.Optional(idOf('organizations', 'The organization above. The root has no parent.')),
  },
});

export type OrganizationDocument = Omit<
  RecordDocument<typeof organizationRecord>,
  'organization' | 'categories'
> & { categories: { name: string; forms: string[] }[] };

export const organizationModel = defineRecordModel<OrganizationDocument>('Organization', organizationRecord, [
  [{ path: 1 }, { unique: true }],
  [{ parent: 1, _id: 1 }],
  [{ retimeAt: 1 }, { sparse: true }],
  [{ reindexAt: 1 }, { sparse: true }],
]);

export interface OrganizationContext {
  title: string;
  /** Address of a picture. */
  logo?: string;
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
    .findById(id, { name: 1, displayName: 1, logo: 1, path: 1, country: 1, categories: 1, 'meta.links': 1 })
    .lean();
  if (!found) return null;
  return {
    title: found.displayName ?? found.name,
    path: found.path.split('#'),
    links: textValues(found.meta.links),
    ...(found.logo ? { logo: found.logo } : {}),
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
  const root = { _id: id, name, path: id, level: 0, tags: [], categories: [], timers: [], meta: {} };
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
