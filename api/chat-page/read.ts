import { VIEWER_TYPES } from '../../domain/messages/chat-page-message.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import { findHeads, findMainThread } from '../../store/conversations/stream.ts';
import { organizationTitle } from '../../store/records/organizations.ts';
import type { Answer, Api, OpenRequest } from '../request.ts';
import { cursorText } from '../streams/cursor.ts';
import { placeOfSlug, presentToContact } from './contact.ts';

const PAGE = 50;

/**
 * GET /c/{slug}/messages: the newest 50 messages of the main thread, or those before number
 * `?before=`. `last` is the conversation's last number, and a stream that begins after `mark`
 * misses nothing, changes of these messages included.
 */
export async function readConversation(
  { params, querystring }: OpenRequest,
  { config }: Api,
): Promise<Answer> {
  const place = await placeOfSlug(params);
  const before = beforeOf(querystring);
  // The head first: what comes after it comes through the stream.
  const [[head], title] = await Promise.all([findHeads([place.id]), organizationTitle(place.organization)]);
  const found = await findMainThread(place.id, { before, types: VIEWER_TYPES, limit: PAGE });
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: {
      title,
      messages: found.flatMap((document) => presentToContact(document, config.publicUrl) ?? []),
      more: found.length === PAGE,
      last: head?.sequence ?? 0,
      mark: head ? cursorText({ number: head.sequence, version: head.version }) : '0',
    },
  };
}

function beforeOf(querystring: string): number {
  const given = new URLSearchParams(querystring).get('before');
  if (given === null) return Number.MAX_SAFE_INTEGER;
  if (!/^[1-9]\d{0,14}$/.test(given)) throw invalidRequest('before', 'must be a message number');
  return Number(given);
}
