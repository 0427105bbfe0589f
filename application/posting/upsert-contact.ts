import type { Static } from 'typebox';
import {
  IDENTIFIERS,
  assertMatchable,
  identifierTakenError,
  matchContact,
} from '../../domain/contact-match.ts';
import type { ContactMatch, Identifiers } from '../../domain/contact-match.ts';
import { identityKey, identityKeys, withIdentity } from '../../domain/channels/identity.ts';
import type { Identity } from '../../domain/channels/identity.ts';
import { unavailable, unprocessable } from '../../domain/errors.ts';
import { eventId } from '../../domain/events/event-name.ts';
import { toEventActor } from '../../domain/events/event-record.ts';
import { previousValues } from '../../domain/events/previous-values.ts';
import { assertValidMeta } from '../../domain/free-form.ts';
import { definedFields } from '../../domain/record-fields.ts';
import {
  contactRecord,
  findContact,
  findContactBy,
  updateContact,
} from '../../store/conversations/contacts.ts';
import type { ContactDocument, ContactProfile } from '../../store/conversations/contacts.ts';
import { findChannel } from '../../store/delivery/channels.ts';
import { publish } from '../../store/delivery/publish.ts';
import { isDuplicateKey } from '../../store/queries/insert.ts';
import type { conversationInput } from '../../schema/conversation-body.ts';
import { changedPaths, profileWithoutBlanks, withoutBlanks } from './contacts.ts';
import type { PostingContext, Replaced } from './posting-context.ts';
import { listOtherForms } from './telephone.ts';

type UpsertBody = Exclude<Static<typeof conversationInput>['contact'], string | undefined>;

/** The contact of an upsert; email and telephone are normalized. */
export interface GivenContact extends Omit<UpsertBody, 'profile' | 'identity'> {
  profile: ContactProfile;
  identity?: GivenIdentity | undefined;
  match?: ContactMatch | undefined;
}

const MAX_TRIES = 20;
const FREE_FORMS = ['settings', 'meta'] as const;

/** `now` is the time from which a new identity counts. */
export type GivenIdentity = Pick<Identity, 'service' | 'touchpoint' | 'id' | 'name'> & { now: string };

export function contactWithoutBlanks({ profile = {}, identity: _, ...fields }: UpsertBody): GivenContact {
  return { ...withoutBlanks(fields), profile: profileWithoutBlanks(profile) };
}

/** Throws DomainError `unprocessable` unless the service is a channel of the organization. */
export async function resolveIdentity(
  organization: string,
  { identity }: UpsertBody,
  now: string,
): Promise<GivenIdentity | undefined> {
  if (!identity) return undefined;
  const { service, id, name } = withoutBlanks(identity);
  const channel = await findChannel(organization, service);
  if (!channel) {
    throw unprocessable('there is no such channel service of the organization', 'contact.identity.service');
  }
  return { service, id, touchpoint: channel.touchpoint, now, ...definedFields({ name }) };
}

/**
 * Returns the contact of an identity, else the contact by external id, telephone or email, without
 * identifiers that other contacts have. `hints` name these contacts (spec 15.1).
 */
export async function findIdentityContact(
  organization: string,
  given: GivenContact & { identity: GivenIdentity },
): Promise<{ known: ContactDocument | null; given: GivenContact; hints: string[] }> {
  const { telephone, email, ...profile } = given.profile;
  const { externalId, ...others } = given;
  const [owner, byExternalId, byTelephone, byEmail] = await Promise.all([
    findContactBy(organization, { identityKeys: identityKey(given.identity) }),
    externalId === undefined ? null : findContactBy(organization, { externalId }),
    telephone === undefined ? null : findByTelephone(organization, telephone),
    email === undefined ? null : findContactBy(organization, { 'profile.email': email }),
  ]);
  const known = owner ?? byExternalId ?? byTelephone ?? byEmail;
  const isFree = (holder: ContactDocument | null) => holder === null || holder._id === known?._id;
  const taken = Object.entries({ externalId: byExternalId, telephone: byTelephone, email: byEmail });
  const kept = {
    ...(isFree(byTelephone) ? definedFields({ telephone }) : {}),
    ...(isFree(byEmail) ? definedFields({ email }) : {}),
  };
  return {
    known,
    given: {
      ...others,
      ...(isFree(byExternalId) ? definedFields({ externalId }) : {}),
      profile: { ...profile, ...kept },
    },
    hints: taken.flatMap(([field, holder]) =>
      holder && !isFree(holder) ? [`The ${field} belongs to another contact: ${holder._id}.`] : [],
    ),
  };
}

/** Throws DomainError `conflict`, `unprocessable` or `invalid_request` as `matchContact` does. */
export async function findUpsertContact(
  organization: string,
  { profile: { telephone, email }, externalId, match }: GivenContact,
): Promise<ContactDocument | null> {
  const given = { externalId, telephone, email };
  assertMatchable(match, given);
  const [byExternalId, byTelephone, byEmail] = await Promise.all([
    externalId === undefined ? null : findContactBy(organization, { externalId }),
    telephone === undefined ? null : findByTelephone(organization, telephone),
    email === undefined ? null : findContactBy(organization, { 'profile.email': email }),
  ]);
  const holders = {
    externalId: identify(byExternalId),
    telephone: identify(byTelephone),
    email: identify(byEmail),
  };
  return matchContact({ match, given, holders })?.contact ?? null;
}

async function findByTelephone(organization: string, telephone: string): Promise<ContactDocument | null> {
  for (const form of [telephone, ...listOtherForms(telephone)]) {
    const found = await findContactBy(organization, { 'profile.telephone': form });
    if (found) return found;
  }
  return null;
}

function identify(contact: ContactDocument | null) {
  if (!contact) return undefined;
  const { _id: id, externalId, profile } = contact;
  return { id, externalId, telephone: profile.telephone, email: profile.email, contact };
}

export function hasIdentifier({
  identity,
  externalId,
  profile: { telephone, email },
}: GivenContact): boolean {
  if (identity) return true;
  const given: Identifiers = { externalId, telephone, email };
  return IDENTIFIERS.some((key) => given[key] !== undefined);
}

type Attributes = Pick<ContactDocument, 'externalId' | 'settings' | 'meta' | 'identities' | 'identityKeys'>;

/**
 * Returns the changed attributes besides the profile, merged by key. Throws DomainError
 * `invalid_request` for free-form data that is too large or has unsafe keys.
 */
export function mergeAttributes(
  stored: Partial<Attributes>,
  { externalId, identity, ...given }: Pick<GivenContact, 'externalId' | 'settings' | 'meta' | 'identity'>,
): Partial<Attributes> {
  const merged = FREE_FORMS.flatMap((name) => {
    const written = given[name] ?? {};
    assertValidMeta(written, `contact.${name}`);
    const keys = Object.entries(written).filter(([key, value]) => !isEqual(stored[name]?.[key], value));
    if (keys.length === 0) return [];
    const all = { ...stored[name], ...Object.fromEntries(keys) };
    const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
    assertValidMeta(all, `contact.${name}`);
    return [[name, kept] as const];
  });
  return {
    ...(externalId === undefined || externalId === stored.externalId ? {} : { externalId }),
    ...(identity ? changedIdentities(stored.identities ?? [], identity) : {}),
    ...(Object.fromEntries(merged) as Partial<Attributes>),
  };
}

function changedIdentities(
  stored: readonly Identity[],
  { now, ...identity }: GivenIdentity,
): Pick<Attributes, 'identities' | 'identityKeys'> {
  const identities = withIdentity(stored, identity, now);
  return identities === stored ? {} : { identities: [...identities], identityKeys: identityKeys(identities) };
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === (other ?? undefined) || JSON.stringify(one) === JSON.stringify(other);
}

export function listReplaced(stored: ContactDocument, given: GivenContact): Replaced[] {
  const profile = Object.keys(changedPaths(stored.profile, given.profile)).map((path) => `profile.${path}`);
  const { identity: _, ...plain } = given;
  const attributes = Object.entries(mergeAttributes(stored, plain)).flatMap(([name, value]) =>
    name === 'externalId' ? name : listChangedKeys(name, { before: stored, after: value as object }),
  );
  return [...profile, ...attributes].flatMap((path) => {
    const was = valueAt(stored, path);
    return was === undefined ? [] : [{ path: `contact.${path}`, was }];
  });
}

function listChangedKeys(
  name: string,
  { before, after }: { before: ContactDocument; after: Record<string, unknown> | object },
): string[] {
  const stored = before[name as (typeof FREE_FORMS)[number]] ?? {};
  return Object.keys(stored)
    .filter((key) => !isEqual(stored[key], (after as Record<string, unknown>)[key]))
    .map((key) => `${name}.${key}`);
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

type UpdateContext = Pick<PostingContext, 'principal' | 'deps' | 'receivedAt'> & {
  /** Minted before the upsert is sent, so that a repeated request mints the same ids. */
  updateId: string;
};

/**
 * Stores the attributes and publishes `contact.update`, unless they are the stored ones. Throws
 * DomainError `unavailable` if others change the contact all the time.
 */
export async function updateAttributes(
  contact: ContactDocument,
  given: GivenContact,
  context: UpdateContext,
): Promise<void> {
  const { reach } = context.principal;
  let stored: ContactDocument | null = contact;
  for (let tries = 0; stored && tries < MAX_TRIES; tries++) {
    const patch = mergeAttributes(stored, given);
    if (Object.keys(patch).length === 0) return;
    const updated: ContactDocument | null = await updateContact(reach, contact._id, patch, stored).catch(
      (error: unknown) => rethrowTaken(error, { contact, given }),
    );
    if (updated) return announceUpdate({ before: stored, after: updated }, context);
    stored = await findContact(reach, contact._id);
  }
  // The post that follows refuses a contact that is gone.
  if (stored) throw unavailable();
}

async function rethrowTaken(
  error: unknown,
  {
    contact: { organization },
    given: { externalId, identity },
  }: { contact: ContactDocument; given: GivenContact },
): Promise<never> {
  if (!isDuplicateKey(error)) throw error;
  // Another request has just given the identity to another contact, which the next try finds.
  if (externalId === undefined && identity) throw unavailable();
  const holder = await findContactBy(organization, { externalId: externalId ?? '' });
  throw identifierTakenError('externalId', holder?._id);
}

async function announceUpdate(
  { before, after }: { before: ContactDocument; after: ContactDocument },
  { principal, deps, updateId, receivedAt }: UpdateContext,
): Promise<void> {
  const contact = contactRecord.present(after);
  await publish(
    {
      id: eventId(updateId),
      name: 'contact.update',
      timestamp: receivedAt,
      organization: after.organization,
      actor: toEventActor(principal),
      data: { contact, previous: previousValues(contactRecord.present(before), contact) },
    },
    deps.config,
  );
}
