import { notFound, invalidRequest, unprocessable } from '../../../domain/errors.ts';
import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import { forgetConversationRef, findConversation } from '../../../store/conversations/find-conversations.ts';
import { withIfMatch } from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { conversationTarget } from './conversations.ts';
import { loadStoredView } from './present.ts';
import type { Static } from 'typebox';
import type { Effect } from '../../../domain/conversations/change.ts';
import { DEFAULTS, FRESH_PARTICIPANT } from '../../../domain/conversations/conversation.ts';
import type { ConversationFields, Participant } from '../../../domain/conversations/conversation.ts';
import { conversationTouchpoints } from '../../../domain/conversations/touchpoint.ts';
import { assertValidMeta } from '../../../domain/free-form.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { parseResult, resolveResults } from '../../../domain/messages/results.ts';
import { collectNamedRecords } from '../../../domain/resources.ts';
import { categoryEffects } from '../../../domain/effects/setting.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { findUsers } from '../../../store/accounts/users.ts';
import { assertNamesVisible } from '../../../application/auth/named-records.ts';
import { loadUsableForms } from '../../../application/posting/message-facts.ts';
import { findReachableContact } from '../../../application/posting/contacts.ts';
import type { conversationPatch } from './schema.ts';
import Type from 'typebox';
import { idOf, object } from '../../../schema/kinds.ts';

/** PATCH /conversations/{id}: only the workflow may change the state (spec 5.9). */
export async function updateConversation(
  request: ApiRequest<ConversationPatch>,
  api: Api,
): Promise<HandlerResult> {
  const changing = conversationTarget(request, api);
  await withIfMatch(request, changing, (found, seen) => change(request, { found, seen, api }));
  const { id } = request;
  return { status: 200, body: await loadStoredView({ id }, request, api) };
}

async function change(
  request: ApiRequest<ConversationPatch>,
  { found, seen, api }: { found: ConversationDocument; seen: ConversationDocument | undefined; api: Api },
): Promise<true> {
  const { principal, body, ids } = request;
  const { _id } = found;
  const effects = await buildRepairEffects(body, { request, stored: found, api });
  if (effects.length === 0) return true;
  const amendment = { id: ids.newId(), by: principal.user, effects };
  const condition = seen ? { ifVersion: seen.version } : {};
  const changed = await api.temporal.conversations.amend(_id, { ...amendment, ...condition });
  if (!changed) throw notFound('The conversation');
  if (body.contact !== undefined) forgetConversationRef(_id);
  return true;
}

type ConversationPatch = Static<typeof conversationPatch>;

const CLEARABLE = ['name', 'language'] as const;

/** Null resets these fields to these values. */
const EMPTY = { ...DEFAULTS, meta: {}, channels: [], channelsOffline: [] };

/** Returns effects that replace whole fields. Null clears or resets a field (spec 5.9). */
async function buildRepairEffects(
  body: ConversationPatch,
  { request, stored, api }: { request: ApiRequest; stored: ConversationDocument; api: Api },
): Promise<Effect[]> {
  const { organization } = stored;
  const { name, language, meta, category, categoryIndex } = body;
  if (meta) assertValidMeta(meta);
  await assertRepairNames(body, request, stored);
  const fields: Partial<ConversationFields> = {
    ...definedFields({ name, language }),
    ...resetNulls(body),
    ...(await buildForms(body, request, stored)),
    ...buildTouchpoints(body, api),
    ...(await buildParticipants(body, request, stored)),
  };
  const clear = CLEARABLE.filter((field) => body[field] === null);
  const replaces = Object.keys(fields).length > 0 || clear.length > 0;
  const named = category !== undefined || categoryIndex !== undefined;
  const categories = named ? ((await organizationContext(organization))?.categories ?? []) : [];
  return [
    ...(await buildOwnerEffects(body, { request, organization })),
    ...(replaces ? [{ kind: 'replace' as const, fields, clear }] : []),
    ...(named ? categoryEffects({ category, categoryIndex }, categories) : []),
  ];
}

/**
 * Checks that the contact is within reach. The workflow checks that conversation and contact are
 * not linked to others.
 */
async function buildOwnerEffects(
  { contact }: ConversationPatch,
  { request, organization }: { request: ApiRequest; organization: string },
): Promise<Effect[]> {
  if (contact === undefined) return [];
  await findReachableContact(request.principal, contact, organization);
  return [{ kind: 'owner', contact }];
}

function resetNulls(body: ConversationPatch): Partial<ConversationFields> {
  const given = Object.entries(EMPTY).map(([field, empty]) => {
    const value = body[field as keyof typeof EMPTY];
    return [field, value === null ? empty : value];
  });
  return definedFields(Object.fromEntries(given) as Partial<ConversationFields>);
}

/** Forms follow spec 6.8. */
async function assertRepairNames(
  { forms: _, ...body }: ConversationPatch,
  { principal }: ApiRequest,
  stored: ConversationDocument,
): Promise<void> {
  await assertNamesVisible(collectNamedRecords('conversations', body), principal.reach, () =>
    collectNamedRecords('conversations', stored),
  );
}

async function buildForms(
  { forms }: ConversationPatch,
  { principal }: ApiRequest,
  { _id: id, slug, organization }: ConversationDocument,
): Promise<Pick<Partial<ConversationFields>, 'forms'>> {
  if (forms === undefined) return {};
  const given = forms ?? [];
  const results = given.map(({ form, name, type, values }, at) =>
    parseResult({ form, formName: name, type, values }, `forms.${at}`),
  );
  const usable = await loadUsableForms(results, { principal, place: { id, slug, organization } });
  const resolved = resolveResults(results, usable, 'forms');
  return {
    forms: resolved.map(({ form, formName: name = '', type, values = {} }, at) => ({
      ...{ form, name, type, values },
      ...definedFields({ category: given[at]?.category, categoryIndex: given[at]?.categoryIndex }),
    })),
  };
}

function buildTouchpoints(
  { touchpoints }: ConversationPatch,
  { config }: Api,
): Pick<Partial<ConversationFields>, 'touchpoints'> {
  if (touchpoints === undefined) return {};
  const codes = conversationTouchpoints(config.touchpointCodes);
  const entries = Object.entries(touchpoints ?? {}).map(([code, { services, selected = true }]) => {
    if (!codes.includes(code))
      throw invalidRequest(`touchpoints.${code}`, `must be one of ${codes.join(', ')}`);
    return [code, { services, selected }] as const;
  });
  return { touchpoints: Object.fromEntries(entries) };
}

async function buildParticipants(
  { participants }: ConversationPatch,
  { principal }: ApiRequest,
  stored: ConversationDocument,
): Promise<Pick<Partial<ConversationFields>, 'participants'>> {
  if (participants === undefined) return {};
  const given = participants ?? [];
  const ids = given.map(({ user }) => user);
  const users = new Map((await findUsers(principal.reach, ids)).map((one) => [one._id, one]));
  const known = new Map(stored.participants.map((one) => [one.user, one]));
  const seen = new Set<string>();
  const whole = given.map(({ user, ...rest }, at): Participant => {
    const found = users.get(user);
    // A known participant out of reach may stay: clients send back what they have read.
    const { organization, role } = found ?? known.get(user) ?? {};
    if (seen.has(user)) throw unprocessable('takes part twice', `participants.${at}.user`);
    seen.add(user);
    const place = definedFields({ organization, role });
    return { user, ...place, ...FRESH_PARTICIPANT, ...definedFields(rest), ...(found ? {} : place) };
  });
  return { participants: whole };
}

export const unblockInput = object('UnblockInput', 'The bots to unblock.', {
  bot: Type.Optional(idOf('bots', 'The bot. Default: all bots.')),
});

export const hurryInput = object('HurryInput', 'The messages to process now.', {
  message: Type.Optional(idOf('waiting', 'The message. Default: all delayed messages.')),
});

/** POST /conversations/{id}/unblock: one bot, or all (spec 6.10). */
export async function unblockBots(
  request: ApiRequest<Static<typeof unblockInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { body, principal } = request;
  const found = await findTarget(request);
  const named = body.bot === undefined ? [] : [{ to: 'users' as const, id: body.bot, path: 'bot' }];
  await assertNamesVisible(named, principal.reach, () => collectNamedRecords('conversations', found));
  await intervene(found, { kind: 'unblocked', ...definedFields(body) }, { request, api });
  return buildConversationResult(request, api);
}

/** POST /conversations/{id}/hurry: one delayed message, or all (spec 6.4). */
export async function hurryMessages(
  request: ApiRequest<Static<typeof hurryInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { message } = request.body;
  const effect = { kind: 'hurried' as const, ...definedFields({ message }) };
  const hurried = await intervene(await findTarget(request), effect, { request, api });
  if (!hurried && message !== undefined) throw notFound('The delayed message');
  return buildConversationResult(request, api);
}

async function findTarget({ principal, id }: ApiRequest): Promise<ConversationDocument> {
  const found = await findConversation(principal.reach, id);
  if (!found) throw notFound('The conversation');
  return found;
}

/** Returns whether the effect changed anything. */
function intervene(
  { _id }: ConversationDocument,
  effect: Effect,
  { request: { principal, ids }, api }: { request: ApiRequest; api: Api },
): Promise<boolean> {
  const amendment = { id: ids.newId(), by: principal.user, effects: [effect] };
  return api.temporal.conversations.amend(_id, amendment);
}

async function buildConversationResult(request: ApiRequest, api: Api): Promise<HandlerResult> {
  return { status: 200, body: await loadStoredView({ id: request.id }, request, api) };
}
