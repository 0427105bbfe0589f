import { findConversationRef } from '../../../store/conversations/find-conversations.ts';
import { notFound } from '../../../domain/refusal.ts';
import { issueTicket } from '../auth/stream-ticket.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';

/**
 * POST /conversations/{id}/stream/ticket: an address for a browser's EventSource, which cannot send
 * a token. Good once, for a minute (spec 5.12).
 */
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
