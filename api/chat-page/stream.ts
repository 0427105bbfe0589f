import { countUnreadByPeople } from '../../domain/messages/message-author.ts';
import { findBySlug } from '../../store/conversations/find-conversations.ts';
import { STREAM_HEADERS, findStartCursor } from '../resources/conversations/stream.ts';
import { loadContactPath } from '../listing/line.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { presentToContact, presentTypistToContact } from './contact.ts';
import { resolveStoredChat } from './place.ts';

/**
 * GET /c/{slug}/stream: the conversation's stream as far as the contact may hear it (spec 10.1).
 */
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
      conversation: ({ status, participants, sequence }) => ({
        status,
        ...(countUnreadByPeople(participants) === 0 ? { read: sequence } : {}),
      }),
      typist: presentTypistToContact,
      contactRead: () => null,
    },
    repeat: (work) => api.lists.run(line, work, { freeMs: 0 }),
    address: client.address,
    holder: place.slug,
    mayListen: async () => (await findBySlug(place.slug)) !== null,
  });
  return { status: 200, body: stream, headers: STREAM_HEADERS };
}
