import { isWithinReach } from '../../../store/queries/reach.ts';
import { findConversationRef, isParticipant } from '../../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../../store/conversations/find-conversations.ts';
import { invalidRequest, notFound } from '../../../domain/errors.ts';
import { findConversationVersions, findResumeVersion } from '../../../store/conversations/stream.ts';
import { presentMessage, presentConversation } from '../../../application/presenters/presenters.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import { assertKnownParameters } from '../../request.ts';
import { loadCallerPath } from '../../listing/line.ts';
import { parseCursor } from '../../streams/server-sent.ts';
import type { Cursor } from '../../streams/server-sent.ts';
import type { Audience } from '../../streams/event-writer.ts';
import { issueTicket } from '../auth/stream-ticket.ts';

/** Proxies must not cache, change or buffer a stream. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * GET /conversations/{id}/stream: events after `Last-Event-ID` or `after`, else from now on (spec
 * 5.12).
 */
export async function streamConversation(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, id, client } = request;
  const place = await findConversationRef(principal.reach, id);
  if (!place) throw notFound('The conversation');
  const line = await loadCallerPath(principal);
  const stream = api.streams.open({
    conversation: place.id,
    after: await findStartCursor(request, place.id),
    audience: createAudience(principal, api.config.publicUrl),
    repeat: (work) => api.lists.run(line, work, { freeMs: 0 }),
    address: client.address,
    path: line,
    mayListen: async () => {
      const now = await api.authority.authenticate(client.token);
      return now.scope === principal.scope && canRead(now, place);
    },
  });
  return { status: 200, body: stream, headers: STREAM_HEADERS };
}

/** GET /conversations/stream (spec 5.12). */
export async function streamChanges(
  { principal, client, querystring }: ApiRequest,
  api: Api,
): Promise<HandlerResult> {
  assertKnownParameters(new URLSearchParams(querystring).keys(), []);
  const { organization } = principal.reach;
  const stream = api.streams.openChanges({
    organization,
    address: client.address,
    path: await loadCallerPath(principal),
    mayListen: async () => {
      const now = await api.authority.authenticate(client.token);
      return now.scope === principal.scope && now.reach.organization === organization;
    },
  });
  return { status: 200, body: stream, headers: STREAM_HEADERS };
}

/**
 * Returns the request's cursor, by default the current state. Adds a missing version, so that the
 * stream includes changes since the cursor's message.
 */
export async function findStartCursor(
  request: Pick<ApiRequest, 'client' | 'querystring'>,
  conversation: string,
): Promise<Cursor | undefined> {
  const known = readCursor(request);
  if (known?.version !== undefined) return known;
  const [head] = await findConversationVersions([conversation]);
  if (!head) return known;
  if (!known) return { number: head.sequence, version: head.version };
  return { ...known, version: await findResumeVersion(head, known.number) };
}

function readCursor({ client, querystring }: Pick<ApiRequest, 'client' | 'querystring'>) {
  const { lastEventId } = client;
  const parameters = new URLSearchParams(querystring);
  assertKnownParameters(parameters.keys(), ['after']);
  if (parameters.getAll('after').length > 1) throw invalidRequest('after', 'must not be repeated');
  const given = lastEventId === '' ? parameters.get('after') : lastEventId;
  if (given === null) return undefined;
  const mark = parseCursor(given);
  if (!mark)
    throw invalidRequest(lastEventId ? 'Last-Event-ID' : 'after', 'must be a message number or an event id');
  return mark;
}

/** Hides the back channel from guests (spec 10.2). */
function createAudience({ scope, user, reach }: Principal, publicUrl: string): Audience {
  return {
    message: (document) =>
      scope === 'guest' && document.isBackchannel ? null : presentMessage(document, publicUrl),
    conversation: (conversation) => presentConversation(conversation, { reach, publicUrl }),
    // Users do not see themselves typing.
    typist: (typist) => (typist.user === user ? null : { ...typist, until: typist.until.toISOString() }),
    contactRead: ({ contactRead: sequence, contactReadAt }) => ({
      role: 'contact',
      sequence,
      at: contactReadAt?.toISOString(),
    }),
    receipt: (delivery) => (scope === 'guest' ? null : { delivery }),
  };
}

async function canRead({ reach }: Principal, place: ConversationRef): Promise<boolean> {
  const { guest } = reach;
  if (!(await isWithinReach(reach, place.organization))) return false;
  return guest === undefined || isParticipant({ conversation: place.id, user: guest });
}

/** POST /conversations/{id}/stream/ticket: EventSource cannot send a token (spec 5.12). */
export async function createStreamTicket(
  { principal, id, client }: ApiRequest,
  { authority, config }: Api,
): Promise<HandlerResult> {
  const place = await findConversationRef(principal.reach, id);
  if (!place) throw notFound('The conversation');
  const asked = { conversation: place.id, token: client.token, principal };
  const { ticket, expiresAt } = await issueTicket(asked, authority);
  const url = `${config.publicUrl}/v2/conversations/${place.id}/stream?ticket=${ticket}`;
  return { status: 200, body: { url, expiresAt } };
}
