import { VIEWER_TYPES, countUnreadByPeople } from '../../domain/messages/chat-page-message.ts';
import type { Participant } from '../../domain/conversations/conversation.ts';
import { invalidRequest } from '../../domain/errors.ts';
import { findConversation, isSlugInUse } from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import { findConversationVersions, findMainThread } from '../../store/conversations/stream.ts';
import { createSlices } from '../../store/queries/slices.ts';
import { charactersIn } from '../../domain/characters.ts';
import type { ListBudget } from '../limits/list-concurrency.ts';
import { loadContactPath } from '../listing/line.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { formatCursor } from '../streams/server-sent.ts';
import {
  presentToContact,
  presentTypistToContact,
  resolveChatKey,
  resolveStoredChat,
} from './chat-target.ts';
import { presentStanding } from './standing.ts';
import type { Static } from 'typebox';
import { STREAM_HEADERS, findStartCursor } from '../resources/conversations/stream.ts';
import Type from 'typebox';
import { storeDate } from '../../store/cluster/clock.ts';
import { isContactBlocked } from '../../store/conversations/contacts.ts';
import { countUnread, noteContactRead, noteTyping } from '../../store/conversations/presences.ts';
import { typingUntil } from '../resources/conversations/conversations.ts';
import type { typingInput } from '../resources/conversations/conversations.ts';

const PAGE = 50;
/** For printing. */
const MAX_PAGE = 500;
/** A longer page ends early, with `more` set. */
const MAX_CHARACTERS = 1024 * 1024;
/** A larger page waits for a slot for large responses. Its first 250 ms are charged, too. */
const LARGE_CHARACTERS = 256 * 1024;

/** GET /c/{slug}/messages: the main thread below the sequence `before`. */
export async function readConversation(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const place = await resolveChatKey(request, api);
  const headers = { 'Cache-Control': 'no-store' };
  if (place.kind === 'started') return { status: 200, headers, body: EMPTY_CHAT };
  const { ref, started } = place;
  const before = parseNumber(request, 'before') ?? Number.MAX_SAFE_INTEGER;
  const limit = Math.min(parseNumber(request, 'limit') ?? PAGE, MAX_PAGE);
  const body = await api.lists.run(await loadContactPath(ref, request.client.address), (effort) =>
    readPage(ref, { before, limit, publicUrl: api.config.publicUrl }, effort),
  );
  return { status: 200, headers, body: { ...body, ...(started ? { begun: ref.slug } : {}) } };
}

async function readPage(
  ref: ConversationRef,
  { before, limit, publicUrl }: { before: number; limit: number; publicUrl: string },
  { awaitLargeSlot }: Pick<ListBudget, 'awaitLargeSlot'>,
) {
  // Read the head before the page: a stream from the head misses nothing.
  const [head] = await findConversationVersions([ref.id]);
  const [{ records, more }, conversation] = await Promise.all([
    findMainThread(ref.id, { before, types: VIEWER_TYPES, limit, maxCharacters: MAX_CHARACTERS }),
    findConversation({ organization: ref.organization }, ref.id),
  ]);
  if (charactersIn(records) > LARGE_CHARACTERS) await awaitLargeSlot();
  const found = records.reverse();
  const shown = [];
  const slices = createSlices();
  for (const document of found) {
    shown.push(await presentToContact(document, publicUrl));
    await slices.rest();
  }
  return {
    messages: shown.filter((message) => message !== null),
    more,
    last: head?.sequence ?? 0,
    mark: head ? formatCursor({ number: head.sequence, version: head.version }) : '0',
    ...findContactRead(conversation?.participants ?? [], found),
    ...(conversation && (await presentStanding(conversation))),
  };
}

/**
 * Returns the sequence up to which users have read, or less: the unread count includes back-channel
 * messages.
 */
function findContactRead(
  participants: readonly Participant[],
  newest: readonly MessageDocument[],
): { read?: number } {
  const unread = countUnreadByPeople(participants);
  if (unread === undefined) return {};
  const others = newest.filter(({ role }) => role !== 'agent');
  const firstUnread = unread === 0 ? undefined : others.at(-unread);
  if (firstUnread) return { read: (firstUnread.sequence ?? 1) - 1 };
  return unread > 0 ? {} : { read: newest.at(-1)?.sequence ?? 0 };
}

const EMPTY_CHAT = { messages: [], more: false, last: 0, mark: '0', started: true };

function parseNumber({ querystring }: OpenRequest, name: string): number | undefined {
  const given = new URLSearchParams(querystring).get(name);
  if (given === null) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(given)) throw invalidRequest(name, 'must be a whole number above 0');
  return Number(given);
}

/** GET /c/{slug}/stream (spec 10.1) */
export async function streamToContact(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const { client } = request;
  const place = await resolveStoredChat(request, api);
  const { publicUrl } = api.config;
  const line = await loadContactPath(place, client.address);
  const stream = api.streams.open({
    conversation: place.id,
    after: await findStartCursor(request, place.id),
    audience: {
      message: (document) => presentToContact(document, publicUrl),
      conversation: async (conversation) => {
        const { participants, sequence } = conversation;
        const isRead = countUnreadByPeople(participants) === 0;
        return { ...(await presentStanding(conversation)), ...(isRead && { read: sequence }) };
      },
      typist: presentTypistToContact,
      contactRead: () => null,
      receipt: () => null,
    },
    repeat: (work) => api.lists.run(line, work, { freeMs: 0 }),
    address: client.address,
    path: line,
    isContact: true,
    mayListen: () => isSlugInUse(place.slug),
  });
  return { status: 200, body: stream, headers: STREAM_HEADERS };
}

export const readInput = Type.Object({
  sequence: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

const NOTHING: HandlerResult = { status: 204 };

/** PUT /c/{slug}/read (spec 10.8) */
export async function putRead(
  request: OpenRequest<Static<typeof readInput>>,
  api: Api,
): Promise<HandlerResult> {
  const place = await resolveChatKey(request, api);
  if (place.kind === 'started') return NOTHING;
  const { id } = place.ref;
  const [head] = await findConversationVersions([id]);
  const sequence = Math.min(request.body.sequence, head?.sequence ?? 0);
  if (sequence > 0) await noteContactRead(id, sequence, storeDate());
  return NOTHING;
}

/** PUT /c/{slug}/typing (spec 10.8) */
export async function putTyping(
  request: OpenRequest<Static<typeof typingInput>>,
  api: Api,
): Promise<HandlerResult> {
  const place = await resolveChatKey(request, api);
  if (place.kind === 'stored' && !(await isContactBlocked(place.ref.contact ?? ''))) {
    await noteTyping(place.ref.id, { role: 'contact', until: typingUntil(request.body) });
  }
  return NOTHING;
}

/** GET /c/{slug}/unread: counts up to 100 messages (spec 13.1). */
export async function showUnread(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const place = await resolveChatKey(request, api);
  const unread = place.kind === 'started' ? 0 : await countUnread(place.ref.id, VIEWER_TYPES);
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { unread } };
}
