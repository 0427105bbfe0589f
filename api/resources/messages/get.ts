import { notFound } from '../../../domain/refusal.ts';
import { presentMessage } from '../../../application/presenters/message.ts';
import { findMessage } from '../../../store/conversations/find-messages.ts';
import { parseRecordShape, buildShapedResult } from '../../listing/listing.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';

/** GET /messages/{id}: with `select` and `populate`. */
export async function getMessage(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const shape = parseRecordShape(request, 'messages');
  const message = await findMessage(request.principal.reach, request.id);
  if (!message) throw notFound('The message');
  return buildShapedResult(request, api, { shape, body: presentMessage(message, api.config.publicUrl) });
}
