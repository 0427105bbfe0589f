import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import type { Static } from 'typebox';
import { MAX_NAME_CHARACTERS } from '../../domain/contact-profile.ts';
import { lowerAscii } from '../../domain/email.ts';
import { DomainError, invalidRequest, notFound } from '../../domain/errors.ts';
import { definedFields } from '../../domain/record-fields.ts';
import {
  findContactByIdentifiers,
  normalProfile,
  withoutBlanks,
} from '../../application/posting/contacts.ts';
import { Email, text } from '../../schema/kinds.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { findWidgetSecrets } from '../../store/records/widgets.ts';
import type { SentPost } from '../../application/posting/posting-context.ts';
import { startConversation } from '../../application/posting/start-conversation.ts';
import type { StartInput } from '../../application/posting/start-conversation.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { addRequests } from '../../store/cluster/request-counts.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationExists } from '../../store/records/organization-removal.ts';
import type { Api, HandlerResult, OpenRequest } from '../request.ts';
import { buildContactPrincipal, createPendingChats, deriveChatIds, findChatTarget } from './chat-target.ts';
import { findOfferedWidget } from './pages.ts';
import type { ChatIds, PendingChat } from './chat-target.ts';

export const startInput = Type.Object({
  email: Type.Optional(Email),
  telephone: Type.Optional(text({ max: 64 })),
  name: Type.Optional(text({ min: 0, max: MAX_NAME_CHARACTERS })),
  /** Hexadecimal HMAC-SHA256 of the email or telephone (spec 13.4). */
  signature: Type.Optional(text({ max: 128 })),
});

/**
 * POST /c/{organization}/start: returns a key for a new chat, or the slug of a verified visitor's
 * conversation (spec 13.3, 13.4).
 */
export async function startChat(
  request: OpenRequest<Static<typeof startInput>>,
  api: Api,
): Promise<HandlerResult> {
  await countVisit('starts', request, api);
  await findOfferedWidget(request, api);
  const { organization = '' } = request.params;
  const known = await verifyVisitor(organization, request.body);
  const key = createPendingChats(api.config.authSecret).start({ organization, ...definedFields({ known }) });
  const place = known ? await findChatTarget({ params: { slug: key } }, api) : null;
  const slug = place?.kind === 'stored' ? place.ref.slug : key;
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { slug } };
}

/**
 * Returns undefined without email and telephone (spec 13.4). Throws DomainError `unauthenticated`
 * for a missing or wrong signature.
 */
async function verifyVisitor(
  organization: string,
  { email, telephone, name, signature }: Static<typeof startInput>,
): Promise<PendingChat['known']> {
  const identifier = email ?? telephone;
  if (identifier === undefined) {
    if (signature !== undefined)
      throw invalidRequest('signature', 'needs the email or telephone that it signs');
    return undefined;
  }
  if (email !== undefined && telephone !== undefined) {
    throw invalidRequest(
      'telephone',
      'must not be given with an email: the signature covers only one of them',
    );
  }
  const secrets = await findWidgetSecrets(organization);
  if (!secrets.some((secret) => isSignedBy(secret, identifier, signature))) {
    throw new DomainError('unauthenticated', 'The signature is not valid for this visitor.');
  }
  const { country } = (await organizationContext(organization)) ?? {};
  const given = withoutBlanks(definedFields({ email, telephone, name }));
  const known = normalProfile(given, { country, path: 'visitor' });
  assertStoredForm(given, known);
  return known;
}

/**
 * Throws unless the given email or telephone equals the stored text, apart from ASCII capitals:
 * another spelling may belong to another person.
 */
function assertStoredForm(given: ContactProfile, known: ContactProfile): void {
  for (const field of ['email', 'telephone'] as const) {
    const form = known[field];
    if (form !== undefined && lowerAscii(given[field] ?? '') !== form) {
      throw invalidRequest(`visitor.${field}`, `must be signed and sent in the stored form: "${form}"`);
    }
  }
}

function isSignedBy(secret: string, text: string, signature = ''): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(text).digest('hex'));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export type ChatInput = NonNullable<StartInput['messages']>[number];

export interface PostedChat extends Pick<SentPost, 'posted' | 'drafts'> {
  place: ConversationRef;
}

/**
 * Creates the conversation of an anonymous visitor (spec 13.3), or upserts the conversation of a
 * verified visitor (spec 13.4).
 */
export async function beginChat(
  started: PendingChat,
  inputs: ChatInput[],
  { request, api }: { request: OpenRequest; api: Api },
): Promise<PostedChat> {
  const { organization } = started;
  await countVisit('beginnings', request, api);
  if (!(await organizationExists(organization))) throw notFound('The conversation');
  const { contact, profile, names } = await chooseContact(started, request);
  const { conversation, posted, drafts } = await startConversation(
    { organization, type: 'contact', contact: { profile }, messages: inputs },
    {
      principal: buildContactPrincipal({ organization, contact }),
      ids: request.ids,
      receivedAt: request.receivedAt,
      origin: 'message',
      deps: api.posting,
      names,
      isProved: true,
      pendingFiles: deriveChatIds(started).conversation,
    },
  );
  const place = await findConversationRef({ organization }, conversation);
  if (!place) throw notFound('The conversation');
  return { place, posted, drafts };
}

async function chooseContact(
  started: PendingChat,
  { ids }: OpenRequest,
): Promise<{ contact: string; profile: NonNullable<PendingChat['known']>; names: ChatIds }> {
  const { organization, known } = started;
  if (!known) {
    const names = deriveChatIds(started);
    return { contact: names.contact, profile: {}, names };
  }
  const { name, ...identifier } = known;
  const found = await findContactByIdentifiers(organization, identifier, { isProved: true });
  const names = { contact: ids.newId(), conversation: ids.newId(), slug: ids.newSlug() };
  // The name is not signed, so only a new contact gets the name.
  return found
    ? { contact: found._id, profile: identifier, names }
    : { contact: names.contact, profile: known, names };
}

/** Limits per client address (spec 13.3). */
const LIMITS = {
  starts: { max: 30, inMs: 60_000 },
  beginnings: { max: 30, inMs: 600_000 },
} as const;

/** Counts the request, over all processes. Throws DomainError `rate_limited` above the limit. */
async function countVisit(
  what: keyof typeof LIMITS,
  { client }: Pick<OpenRequest, 'client'>,
  { config }: Pick<Api, 'config'>,
): Promise<void> {
  if (config.rateLimits.perAddress === 0) return;
  const { max, inMs } = LIMITS[what];
  const now = storeNow();
  const endsAt = (Math.floor(now / inMs) + 1) * inMs;
  const key = createHash('sha256').update(`${what} ${client.address}`).digest('base64url').slice(0, 22);
  if ((await addRequests(key, { endsAt, requests: 1 })) <= max) return;
  throw new DomainError('rate_limited', 'Too many conversations were started from this address lately.', {
    retryAfterSeconds: Math.ceil((endsAt - now) / 1_000),
  });
}
