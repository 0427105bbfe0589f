import type { MessageDraft } from '../domain/message.ts';
import type { Posted } from '../domain/post.ts';
import { messageView } from '../domain/view.ts';
import type { MessageView } from '../domain/view.ts';
import { findMessages } from '../store/find-messages.ts';
import { presentMessage } from './present-message.ts';
import type { Posting } from './facts.ts';

/** The messages as they are answered: what was posted now from the drafts, what was known before from the store. */
export async function presentPosted(
  posted: Posted[],
  { drafts, posting, publicUrl }: { drafts: MessageDraft[]; posting: Posting; publicUrl: string },
): Promise<MessageView[]> {
  const known = await findMessages(posted.filter((one) => one.known).map(({ id }) => id));
  const stored = new Map(known.map((document) => [document._id, presentMessage(document, publicUrl)]));
  return posted.map((one, at) => {
    const { facts: _, ...draft } = drafts[at] as MessageDraft;
    const { sequence, processedAt } = one;
    const place = sequence === undefined ? {} : { sequence, ...(processedAt ? { processedAt } : {}) };
    return stored.get(one.id) ?? messageView({ ...draft, id: one.id, ...place }, posting.place, publicUrl);
  });
}
