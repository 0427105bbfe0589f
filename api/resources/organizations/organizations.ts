import type { Static } from 'typebox';
import { assertNamesVisible } from '../../../application/auth/named-records.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import { collectNamedRecords } from '../../../domain/resources.ts';
import { parseEmail } from '../../../domain/email.ts';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { notWithinReach, unprocessable, invalidRequest, notFound } from '../../../domain/errors.ts';
import { assertValidWidget } from '../../../domain/widget.ts';
import {
  insertBelow,
  updateOrganization as writeOrganization,
} from '../../../store/records/find-organizations.ts';
import { buildCreatedResult, buildRecordResult, recordTarget, withIfMatch } from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { permittedOrganizations } from '../../../application/auth/principal.ts';
import { organizationContext, organizationRecord } from '../../../store/records/organizations.ts';
import { organizations } from './schema.ts';
import { assertValidTimers } from './timers.ts';
import { changeFields, fillFields } from '../../../schema/record.ts';
import type { OrganizationDocument, WidgetSecret } from '../../../store/records/organizations.ts';
import { MAX_CATEGORY_CHARACTERS } from '../../../domain/conversations/bounds.ts';
import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import { assertNoParameters } from '../../../domain/query/query-string.ts';
import { Time, about, object } from '../../../schema/kinds.ts';
import { findWidgetSecret, removeWidgetSecret, replaceWidgetSecret } from '../../../store/records/widgets.ts';

/** Bounds the stored path. The root has level 0. */
const MAX_LEVEL = 32;

export async function createOrganization(
  request: ApiRequest<Static<typeof organizationRecord.input>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { parent = principal.organization, email, categories = [], timers = [] } = body;
  assertValidFreeForm(body);
  assertValidWidget(body.meta);
  await assertAllowedDepth(principal, parent);
  await assertValidTimers(timers, { reach: principal.reach, above: parent });
  await assertFormsVisible({ ratingForm: body.ratingForm }, principal.reach);
  const now = new Date(receivedAt);
  const organization = await insertBelow(principal.reach, parent, {
    ...fillFields(organizationRecord.fields, body),
    ...(email === undefined ? {} : { email: parseEmail(email, 'email') }),
    _id: ids.newId(),
    categories: await checkCategories(categories, principal),
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  });
  if (!organization) throw notWithinReach('parent');
  return buildCreatedResult(organizations, organization, api);
}

async function assertAllowedDepth(principal: Principal, parent: string): Promise<void> {
  await permittedOrganizations(principal, [parent], 'parent');
  const context = await organizationContext(parent);
  if (context && context.path.length > MAX_LEVEL) {
    throw unprocessable(`is at level ${MAX_LEVEL}, the lowest level possible`, 'parent');
  }
}

type OrganizationPatch = Static<typeof organizationRecord.patch>;

export async function updateOrganization(request: ApiRequest<OrganizationPatch>): Promise<HandlerResult> {
  const updated = await withIfMatch(request, recordTarget(organizations, request), (stored, seen) =>
    change(request, { stored, seen }),
  );
  return buildRecordResult(organizations, updated);
}

async function change(
  { principal, body }: ApiRequest<OrganizationPatch>,
  { stored, seen }: { stored: OrganizationDocument; seen: OrganizationDocument | undefined },
): Promise<OrganizationDocument | null> {
  const { categories, parent, email, ...others } = body;
  if (parent !== undefined && parent !== stored.parent) {
    await permittedOrganizations(principal, [parent], 'parent');
    throw unprocessable('an organization cannot be moved', 'parent');
  }
  assertValidFreeForm(body);
  assertValidWidget(body.meta);
  if (body.timers) await assertValidTimers(body.timers, { reach: principal.reach, organization: stored._id });
  await assertFormsVisible({ ratingForm: body.ratingForm }, principal.reach, stored);
  const patch = {
    ...changeFields(organizationRecord.fields, others),
    ...(email === undefined || email === stored.email ? {} : { email: email && parseEmail(email, 'email') }),
    ...(categories === undefined
      ? {}
      : { categories: await checkCategories(categories ?? [], principal, stored.categories) }),
  };
  return writeOrganization(principal.reach, stored._id, patch, seen);
}

type Categories = OrganizationDocument['categories'];

/**
 * Throws DomainError `unprocessable` or `invalid_request`. Accepts forms out of reach if `stored`
 * has them.
 */
async function checkCategories(
  given: { name: string; forms?: string[] | undefined }[],
  { reach }: Principal,
  stored: Categories = [],
): Promise<Categories> {
  const categories = given.map(({ name, forms = [] }) => ({ name, forms }));
  assertUniqueNames(categories);
  assertShortNames(categories, stored);
  await assertFormsVisible({ categories }, reach, { categories: stored });
  return categories;
}

/** Throws DomainError `unprocessable` for a form that is neither visible nor stored. */
async function assertFormsVisible(
  named: object,
  reach: Principal['reach'],
  { categories, ratingForm }: Partial<Pick<OrganizationDocument, 'categories' | 'ratingForm'>> = {},
): Promise<void> {
  await assertNamesVisible(collectNamedRecords('organizations', named), reach, () =>
    collectNamedRecords('organizations', { categories, ratingForm }),
  );
}

function assertUniqueNames(categories: Categories): void {
  const seen = new Set<string>();
  categories.forEach(({ name }, at) => {
    if (seen.has(name)) throw unprocessable('is the name of another category', `categories.${at}.name`);
    seen.add(name);
  });
}

/** Counts UTF-16 units, while the schema counts characters. */
function assertShortNames(categories: Categories, stored: Categories): void {
  const kept = new Set(stored.map(({ name }) => name));
  categories.forEach(({ name }, at) => {
    if (name.length <= MAX_CATEGORY_CHARACTERS || kept.has(name)) return;
    const rule = `must have at most ${MAX_CATEGORY_CHARACTERS} characters, of which an emoji counts as two`;
    throw invalidRequest(`categories.${at}.name`, rule);
  });
}

export const widgetSecretSchema = object(
  'WidgetSecret',
  'The secret with which websites sign their visitors.',
  {
    secret: Type.Optional(
      about(Type.String(), 'The secret. Returned only when the secret is created.', 'pws_0c9a2f4b'),
    ),
    createdAt: about(Time, 'The time of creation.'),
    formerUntil: Type.Optional(about(Time, 'The time until which the previous secret is valid.')),
  },
);

const BYTES = 32;

/** POST /organizations/{id}/widget/secret: the previous secret is valid for a day (spec 13.4). */
export async function createWidgetSecret({ principal, id }: ApiRequest): Promise<HandlerResult> {
  const secret = `pws_${randomBytes(BYTES).toString('base64url')}`;
  const stored = await replaceWidgetSecret(principal.reach, id, secret);
  if (!stored) throw notFound('The organization');
  return { status: 201, body: { secret, ...present(stored) }, once: ['secret'] };
}

export async function getWidgetSecret({ principal, id, querystring }: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(querystring);
  const stored = await findWidgetSecret(principal.reach, id);
  if (!stored) throw notFound(stored === null ? 'The organization' : "The widget's secret");
  return { status: 200, body: present(stored) };
}

export async function deleteWidgetSecret({ principal, id }: ApiRequest): Promise<HandlerResult> {
  if (!(await removeWidgetSecret(principal.reach, id))) throw notFound("The widget's secret");
  return { status: 204 };
}

function present({ createdAt, former }: WidgetSecret): object {
  return {
    createdAt: createdAt.toISOString(),
    ...(former ? { formerUntil: former.until.toISOString() } : {}),
  };
}
