import { countUnreadByPeople } from '../../domain/messages/message-author.ts';
import { findBySlug } from '../../store/conversations/find-conversations.ts';
import { STREAM_HEADERS, beginning } from '../resources/conversations/stream.ts';
import { contactLine } from '../listing/line.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { presentToContact, typistForContact } from './contact.ts';
import { storedPlace } from './place.ts';

/**
 * GET /c/{slug}/stream: the conversation's stream as far as the contact may hear it (spec 10.1).
 */
export async function streamToContact(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const { client } = request;
  const place = await storedPlace(request, api);
  const { publicUrl } = api.config;
  const line = await contactLine(place, client.address);
  const stream = api.streams.open({
    conversation: place.id,
    after: await beginning(request, place.id),
    audience: {
      message: (document) => presentToContact(document, publicUrl),
      conversation: ({ status, participants, sequence }) => ({
        status,
        ...(countUnreadByPeople(participants) === 0 ? { read: sequence } : {}),
      }),
      typist: typistForContact,
      contactRead: () => null,
    },
    repeat: (work) => api.lists.run(line, work, { freeMs: 0 }),
    address: client.address,
    holder: place.slug,
    mayListen: async () => (await findBySlug(place.slug)) !== null,
  });
  return { status: 200, body: stream, headers: STREAM_HEADERS };
}
