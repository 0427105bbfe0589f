import type { Static } from 'typebox';
import type { Effect } from '../../../domain/conversations/change.ts';
import { DEFAULTS, FRESH_PARTICIPANT } from '../../../domain/conversations/conversation.ts';
import type { ConversationFields, Participant } from '../../../domain/conversations/conversation.ts';
import { conversationTouchpoints } from '../../../domain/conversations/touchpoint.ts';
import { assertValidMeta } from '../../../domain/free-form.ts';
import { definedFields } from '../../../domain/defined-fields.ts';
import { assertFlatValues } from '../../../domain/messages/results.ts';
import { invalidRequest, unprocessable } from '../../../domain/refusal.ts';
import { categoryEffects } from '../../../domain/effects/setting.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { findUsers } from '../../../store/accounts/users.ts';
import { assertReachableContact } from './foreign-contact.ts';
import type { Api, ApiRequest } from '../../request.ts';
import type { conversationPatch } from './patch-schema.ts';

export type ConversationPatch = Static<typeof conversationPatch>;

/** Fields of the stored conversation that a repair depends on. */
type RepairTarget = Pick<ConversationFields, 'participants'> & { organization: string };

const CLEARABLE = ['name', 'language'] as const;

/**
 * What a PATCH does to a conversation (spec 5.9): every field it names is replaced whole, what a
 * nested object leaves out has its default, null clears. Throws DomainError for what is wrong with
 * it by itself, and `unprocessable` for users and contacts that are not there and a category that
 * is out of the organization's list.
 */
export async function buildRepairEffects(
  body: ConversationPatch,
  { request, stored, api }: { request: ApiRequest; stored: RepairTarget; api: Api },
): Promise<Effect[]> {
  const { organization } = stored;
  const { name, type, status, language, meta, category, categoryIndex } = body;
  if (meta) assertValidMeta(meta);
  const fields: Partial<ConversationFields> = {
    ...definedFields({ name, language }),
    ...(type === undefined ? {} : { type: type ?? DEFAULTS.type }),
    ...(status === undefined ? {} : { status: status ?? DEFAULTS.status }),
    ...(meta === undefined ? {} : { meta: meta ?? {} }),
    ...buildLists(body),
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
 * A contact for a conversation that has none; whether it has one, and the contact is free, the
 * conversation decides itself.
 */
async function buildOwnerEffects(
  { contact }: ConversationPatch,
  { request, organization }: { request: ApiRequest; organization: string },
): Promise<Effect[]> {
  if (contact === undefined) return [];
  await assertReachableContact(request.principal, contact, organization);
  return [{ kind: 'owner', contact }];
}

function buildLists({ forms, channels, channelsOffline }: ConversationPatch): Partial<ConversationFields> {
  return {
    ...(forms === undefined
      ? {}
      : { forms: (forms ?? []).map((form, at) => toConversationForm(form, `forms.${at}`)) }),
    ...(channels === undefined ? {} : { channels: channels ?? [] }),
    ...(channelsOffline === undefined ? {} : { channelsOffline: channelsOffline ?? [] }),
  };
}

function toConversationForm(
  { form, name, type = 'topic', values = {}, ...rest }: NonNullable<ConversationPatch['forms']>[number],
  path: string,
): ConversationFields['forms'][number] {
  assertFlatValues(values, `${path}.values`);
  const { category, categoryIndex } = rest;
  return { form, name, type, values, ...definedFields({ category, categoryIndex }) };
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
  stored: RepairTarget,
): Promise<Pick<Partial<ConversationFields>, 'participants'>> {
  if (participants === undefined) return {};
  const given = participants ?? [];
  const users = new Map(
    (
      await findUsers(
        principal.reach,
        given.map(({ user }) => user),
      )
    ).map((one) => [one._id, one]),
  );
  const known = new Map(stored.participants.map((one) => [one.user, one]));
  const seen = new Set<string>();
  const whole = given.map(({ user, ...rest }, at): Participant => {
    const found = users.get(user);
    // A user above the caller who takes part already stays: what was read can be sent back.
    const { organization, role } = found ?? known.get(user) ?? {};
    if (!found && !known.has(user)) throw unprocessable('there is no such user', `participants.${at}.user`);
    if (seen.has(user)) throw unprocessable('takes part twice', `participants.${at}.user`);
    seen.add(user);
    const place = definedFields({ organization, role });
    return { user, ...place, ...FRESH_PARTICIPANT, ...definedFields(rest), ...(found ? {} : place) };
  });
  return { participants: whole };
}
