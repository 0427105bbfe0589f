import { buildInboundMessages, buildInboundPost } from '../application/channels/inbound.ts';
import type {
  InboundEntry,
  InboundMessage,
  InboundRow,
  MailRow,
  UnreadablePost,
} from '../application/channels/inbound.ts';
import { markIdentity } from '../application/channels/mark-identity.ts';
import type { Principal } from '../application/auth/principal.ts';
import { BlockedContactError } from '../application/posting/blocked.ts';
import { normalProfile } from '../application/posting/contacts.ts';
import { prepareMessages } from '../application/posting/draft-messages.ts';
import type { Encryption } from '../application/posting/encryption.ts';
import { randomIds } from '../application/posting/id-generator.ts';
import { startConversation } from '../application/posting/start-conversation.ts';
import type { StartInput } from '../application/posting/start-conversation.ts';
import type { PostingContext, PostingDeps, SentPost } from '../application/posting/posting-context.ts';
import { identityKey } from '../domain/channels/identity.ts';
import { readNumber } from '../domain/channels/render-text.ts';
import type { Attempt } from '../domain/delivery/delivery.ts';
import { nextWaitMs } from '../domain/delivery/retry-ladder.ts';
import { MAX_NAME_CHARACTERS } from '../domain/contact-profile.ts';
import { DomainError, isRefusal } from '../domain/errors.ts';
import { definedFields } from '../domain/record-fields.ts';
import { abortable } from '../platform/concurrency/with-timeout.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { findContactBy } from '../store/conversations/contacts.ts';
import type { ContactDocument, ContactProfile } from '../store/conversations/contacts.ts';
import { findLastButtons } from '../store/conversations/receipts.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { organizationContext } from '../store/records/organizations.ts';
import type { Attempted } from './attempt.ts';
import { findProvider } from './channels/providers.ts';
import { fetchMedia, storeAttachment } from './inbound-media.ts';
import type { MediaDeps } from './inbound-media.ts';
import { openMail } from './mail/open-mail.ts';
import type { MailDeps, OpenedMail } from './mail/open-mail.ts';

export interface InboundDeps extends MediaDeps, MailDeps {
  secrets: Encryption;
  posting: PostingDeps;
  webhookRetrySeconds: readonly number[];
}

/** Bounds how long a file holds up its sender. */
const MEDIA_TRIES = 3;

/**
 * Posts what a channel has received into the contact's conversation. A repetition posts nothing
 * twice, because the messages have external ids. Rejects only when `signal` aborts it.
 */
export async function receivePost(
  deps: InboundDeps,
  { delivery, service }: { delivery: QueuedDelivery; service: ServiceDocument },
  signal: AbortSignal,
): Promise<Attempted> {
  const at = storeDate();
  const startedAt = performance.now();
  const end = await abortable(post(deps, { delivery, service }, signal), signal);
  const durationMs = Math.round(performance.now() - startedAt);
  const logged = { at: at.toISOString(), durationMs };
  if ('count' in end) {
    const { count } = end;
    const reply = end.words ?? `Posted ${count} ${count === 1 ? 'message' : 'messages'}.`;
    const attempt: Attempt = { ...logged, outcome: 'delivered', reply };
    return { attempt, next: null, ...definedFields({ conversation: end.conversation }) };
  }
  if (end.isFinal) return { attempt: { ...logged, outcome: 'refused', reason: end.reason }, next: null };
  const waitMs = nextWaitMs(deps.webhookRetrySeconds, { attempts: delivery.tries + 1 }, Math.random());
  const next = waitMs === null ? null : new Date(storeNow() + waitMs);
  return { attempt: { ...logged, outcome: 'rejected', reason: end.reason }, next };
}

interface Posted {
  conversation?: string | undefined;
  count: number;
  /** By default the number of messages. */
  words?: string;
}

/** The entry of an adapter or a provider, or a mail. */
interface Received extends Partial<Omit<OpenedMail, 'entry'>> {
  entry: InboundEntry;
  by: InboundRow['by'];
  /** The conversation of the files that the messages have. */
  pending?: string;
}

async function post(
  deps: InboundDeps,
  { delivery, service }: { delivery: QueuedDelivery; service: ServiceDocument },
  signal: AbortSignal,
): Promise<Posted | { isFinal: boolean; reason: string }> {
  try {
    const row = JSON.parse(delivery.body) as InboundRow | MailRow | UnreadablePost;
    if ('problem' in row) return { isFinal: true, reason: row.problem };
    if ('entry' in row) return await postReceived(deps, { received: row, delivery, service }, signal);
    const opened = await openMail(deps, row, service);
    if ('isFinal' in opened) return opened;
    if ('reported' in opened) return { conversation: opened.conversation, count: 0, words: opened.reported };
    const received = { ...opened, by: row.by, pending: row.mail.pending };
    return await postReceived(deps, { received, delivery, service }, signal);
  } catch (error) {
    if (isRefusal(error)) return { isFinal: true, reason: `Refused (${error.code}): ${error.message}` };
    const problem = error instanceof DomainError ? ` ${error.message}` : '';
    return { isFinal: false, reason: `The post could not be stored.${problem}` };
  }
}

async function postReceived(
  deps: InboundDeps,
  { received, delivery, service }: { received: Received; delivery: QueuedDelivery; service: ServiceDocument },
  signal: AbortSignal,
): Promise<Posted> {
  const { organization, _id: id, type, touchpoint = '' } = service;
  const { entry, by, attachments = [] } = received;
  const channel = { id, type, touchpoint, organization };
  const known = await findContactBy(organization, {
    identityKeys: identityKey({ service: id, id: entry.from.id }),
  });
  const profile = known ? undefined : await usableProfile(entry, organization);
  const send = (messages: InboundMessage[]) =>
    sendMessages(deps, { ...received, entry: { ...entry, messages } }, { service, channel, known, profile });
  const isReply = received.placement?.as !== 'note';
  const sent = await send(
    isReply
      ? await readNumberedReplies(entry, { service, conversation: known?.conversation })
      : entry.messages,
  ).catch(nullIfBlocked);
  await noteOptOut(entry, channel);
  if (!sent) return { conversation: known?.conversation, count: 0, words: BLOCKED };
  const { conversation } = sent;
  const isLast = delivery.tries + 1 >= MEDIA_TRIES;
  const owner = { conversation, organization, createdBy: by.user };
  let count = countNew(sent);
  const files = [
    ...(entry.media ?? []).map((media) => () => fetchMedia(deps, { service, media, owner, isLast }, signal)),
    ...attachments.map((attachment) => () => storeAttachment(deps, { attachment, owner, isLast })),
  ];
  for (const [at, store] of files.entries()) {
    const externalId = `${entry.id}#file${at + 1}`;
    count += countNew(await send([{ ...(await store()), externalId }]));
  }
  return { conversation, count };
}

const BLOCKED = 'Not posted: the contact is blocked.';

/** The provider gets its usual response, so that it sends nothing again and no bounce. */
function nullIfBlocked(error: unknown): null {
  if (error instanceof BlockedContactError) return null;
  throw error;
}

interface SendContext {
  service: ServiceDocument;
  channel: Parameters<typeof buildInboundPost>[1];
  known: ContactDocument | null;
  profile: ContactProfile | undefined;
}

function sendMessages(
  deps: InboundDeps,
  { entry, by, placement, name: given, pending }: Received,
  { service, channel, known, profile }: SendContext,
): Promise<SentPost> {
  const context: PostingContext = {
    principal: toPrincipal(by, service),
    ids: randomIds,
    receivedAt: storeDate().toISOString(),
    origin: 'upsert',
    fromChannel: true,
    deps: deps.posting,
    ...definedFields({ pendingFiles: pending }),
  };
  const isNote = placement?.as === 'note';
  if (isNote && placement.conversation !== undefined) {
    return postNote(buildInboundMessages(entry, channel, true), placement.conversation, context);
  }
  const name = known ? undefined : given?.slice(0, MAX_NAME_CHARACTERS).trim();
  return startConversation(
    buildInboundPost(entry, channel, { profile, name, isNote }) as StartInput,
    context,
  );
}

/** Reopens nothing, unlike an upsert. */
async function postNote(
  messages: ReturnType<typeof buildInboundMessages>,
  conversation: string,
  context: PostingContext,
): Promise<SentPost> {
  const { send } = await prepareMessages(messages, conversation, context);
  return send();
}

/** A number presses no button of an older message. */
const ANSWER_MS = 24 * 3600 * 1000;

async function readNumberedReplies(
  { messages }: InboundEntry,
  {
    service: { _id: id, type },
    conversation,
  }: { service: ServiceDocument; conversation: string | undefined },
): Promise<InboundMessage[]> {
  const mayAnswer = findProvider(type)?.hasNumberedButtons && messages.some(({ text }) => text.length < 8);
  if (!mayAnswer || conversation === undefined) return messages;
  const since = new Date(storeNow() - ANSWER_MS);
  const last = await findLastButtons(conversation, { service: id, since });
  return messages.map((message) => {
    const payload = last ? readNumber(message.text, last) : undefined;
    return payload === undefined ? message : { ...message, type: 'postback', text: payload };
  });
}

function countNew({ posted }: SentPost): number {
  return posted.filter(({ known }) => !known).length;
}

async function noteOptOut(
  { from }: InboundEntry,
  { id: service, touchpoint, organization }: { id: string; touchpoint: string; organization: string },
): Promise<void> {
  const { id, optedOut } = from;
  if (optedOut === undefined) return;
  const contact = await findContactBy(organization, { identityKeys: identityKey({ service, id }) });
  const mark = { bar: 'opted_out', isSet: optedOut } as const;
  if (contact) await markIdentity(contact._id, { service, touchpoint, id }, mark);
}

/** Leaves out a telephone or an email that is not valid: a sender may be a short code. */
async function usableProfile(
  { from }: InboundEntry,
  organization: string,
): Promise<ContactProfile | undefined> {
  const { country } = (await organizationContext(organization)) ?? {};
  const usable: ContactProfile = {};
  for (const field of ['name', 'telephone', 'email'] as const) {
    const value = from[field];
    if (value === undefined) continue;
    try {
      Object.assign(usable, normalProfile({ [field]: value }, { country }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return Object.keys(usable).length > 0 ? usable : undefined;
}

function toPrincipal(
  by: InboundRow['by'],
  { _id, organization }: Pick<ServiceDocument, '_id' | 'organization'>,
): Principal {
  return { ...by, scope: 'bot', reach: { organization }, credential: { ingest: _id } };
}
