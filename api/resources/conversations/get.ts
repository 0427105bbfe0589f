import { notFound } from '../../../domain/refusal.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import { parseRecordShape, buildShapedResult } from '../../listing/listing.ts';
import { includesField } from '../../listing/shape.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { presentConversations } from './present.ts';

/** GET /conversations/{id}: with `select` and `populate` (spec 9.6). */
export async function getConversation(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, id } = request;
  const shape = parseRecordShape(request, 'conversations');
  const { reach } = principal;
  const found = await findConversation(reach, id);
  if (!found) throw notFound('The conversation');
  const { publicUrl } = api.config;
  const withMessages = includesField(shape, 'messages');
  const [body] = await presentConversations([found], { reach, publicUrl, withMessages });
  return buildShapedResult(request, api, { shape, body });
}
