import { findBySlug } from '../../store/conversations/find-conversations.ts';
import { STREAM_HEADERS, beginning } from '../resources/conversations/stream.ts';
import type { Answer, Api, OpenRequest } from '../request.ts';
import { placeOfSlug, presentToContact } from './contact.ts';

/**
 * GET /c/{slug}/stream: the conversation's stream as far as the contact may hear it (spec 10.1).
 */
export async function streamToContact(request: OpenRequest, api: Api): Promise<Answer> {
  const { params, client } = request;
  const place = await placeOfSlug(params);
  const { publicUrl } = api.config;
  const stream = api.streams.open({
    conversation: place.id,
    after: await beginning(request, place.id),
    audience: {
      message: (document) => presentToContact(document, publicUrl),
      conversation: ({ status }) => ({ status }),
    },
    address: client.address,
    holder: place.slug,
    mayListen: async () => (await findBySlug(place.slug)) !== null,
  });
  return { status: 200, body: stream, headers: STREAM_HEADERS };
}
