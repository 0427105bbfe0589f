import { notFound } from '../../domain/refusal.ts';
import { findMessage } from '../../store/find-messages.ts';
import { refuseParameters } from '../listing/parse.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { presentMessage } from '../../posting/present-message.ts';

/** GET /messages/{id}. */
export async function getMessage(
  { principal, params, querystring }: ApiRequest,
  { config }: Api,
): Promise<Answer> {
  refuseParameters(querystring);
  const message = await findMessage(principal.reach, params['id'] ?? '');
  if (!message) throw notFound('The message');
  return { status: 200, body: presentMessage(message, config.publicUrl) };
}
