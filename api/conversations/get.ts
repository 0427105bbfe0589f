import { notFound } from '../../domain/refusal.ts';
import { findConversation } from '../../store/find-conversations.ts';
import { refuseParameters } from '../listing/parse.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { presentConversations } from './present.ts';

/** GET /conversations/{id}. */
export async function getConversation(
  { principal, params, querystring }: ApiRequest,
  { config }: Api,
): Promise<Answer> {
  refuseParameters(querystring);
  const found = await findConversation(principal.reach, params['id'] ?? '');
  if (!found) throw notFound('The conversation');
  const [conversation] = await presentConversations([found], config.publicUrl);
  return { status: 200, body: conversation };
}
