import { prepareUpsert } from '../../posting/prepare-upsert.ts';
import type { UpsertInput } from '../../posting/prepare-upsert.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { storedConversation } from './stored.ts';

/** POST /conversations with a contact as an object: 201 when the conversation was made, else 200 (spec 4.6). */
export async function upsertConversation(request: ApiRequest<UpsertInput>, api: Api): Promise<Answer> {
  const upsert = await prepareUpsert(request.body, { asking: request, deps: api.posting, origin: 'upsert' });
  const { conversation, created } = await upsert();
  return {
    status: created ? 201 : 200,
    body: await storedConversation(conversation, request, api),
    headers: { Location: `${api.config.publicUrl}/v2/conversations/${conversation}` },
  };
}
