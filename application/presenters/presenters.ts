import type { Participant } from '../../domain/conversations/conversation.ts';
import { conversationView, messageView } from '../../domain/events/view.ts';
import type { ConversationView, MessageView } from '../../domain/events/view.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { formatTimes } from '../../store/conversations/conversations.ts';
import type { ConversationDocument } from '../../store/conversations/conversations.ts';
import { isWithinReach } from '../../store/queries/reach.ts';
import type { Reach } from '../../store/queries/reach.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import type { PostedMessage } from '../../domain/messages/post.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { findMessages } from '../../store/conversations/find-messages.ts';

export interface PresentationContext {
  reach: Reach;
  publicUrl: string;
}

/** Returns a conversation without message ids (spec 5.1). */
export async function presentConversation(
  document: ConversationDocument,
  reader: PresentationContext,
): Promise<ConversationView> {
  return (await conversationPresenter([document], reader))(document);
}

/** Hides the role of participants outside the reader's reach (spec 5.2). */
export async function conversationPresenter(
  documents: readonly ConversationDocument[],
  { reach, publicUrl }: PresentationContext,
): Promise<(document: ConversationDocument) => ConversationView> {
  const within = await organizationsWithin(reach, documents);
  const presentParticipant = (participant: Participant): Participant => {
    const { role, ...others } = participant;
    return within.has(participant.organization) ? participant : others;
  };
  return (document) => {
    const { _id: id, results, team, labels, rating, ...state } = formatTimes(document);
    const participants = state.participants.map(presentParticipant);
    // A guest sees none: they are for colleagues, as notes are.
    const shown = reach.guest === undefined ? definedFields({ team, labels, rating }) : {};
    const view = conversationView({ ...state, ...shown, id, participants }, { publicUrl, results });
    return { ...view, ...presentListFields(document, reach) };
  };
}

function presentListFields({ lastMessage, waitingSince }: ConversationDocument, { guest }: Reach) {
  // A guest reads no notes.
  const isHidden = guest !== undefined && lastMessage?.isBackchannel;
  const { version: _, ...shown } = lastMessage ?? { version: 0 };
  return {
    ...(lastMessage === undefined || isHidden ? {} : { lastMessage: shown }),
    ...(waitingSince ? { waitingSince: waitingSince.toISOString() } : {}),
  };
}

async function organizationsWithin(
  reach: Reach,
  documents: readonly ConversationDocument[],
): Promise<ReadonlySet<string | undefined>> {
  const named = documents.flatMap(({ participants }) =>
    participants.flatMap((one) => one.organization ?? []),
  );
  const unique = [...new Set(named)];
  const covered = await Promise.all(unique.map((organization) => isWithinReach(reach, organization)));
  return new Set(unique.filter((_, at) => covered[at]));
}

export function presentMessage(document: MessageDocument, publicUrl: string): MessageView {
  const { _id, conversation, organization, contact, conversationSlug, ...message } = document;
  const { createdAt, updatedAt, processedAt } = message;
  const place = { id: conversation, slug: conversationSlug, organization, ...(contact ? { contact } : {}) };
  const times = {
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    processedAt: processedAt?.toISOString(),
  };
  return messageView({ ...message, id: _id, ...times }, place, publicUrl);
}

/** Returns new messages from the drafts, known messages from the store. */
export async function presentPosted(
  posted: PostedMessage[],
  { drafts, place, publicUrl }: { drafts: MessageDraft[]; place: ConversationRef; publicUrl: string },
): Promise<MessageView[]> {
  const known = await findMessages(posted.filter((one) => one.known).map(({ id }) => id));
  const stored = new Map(known.map((document) => [document._id, presentMessage(document, publicUrl)]));
  return posted.map((one, at) => {
    const { sequence, processedAt } = one;
    const message = { ...(drafts[at] as MessageDraft), id: one.id, sequence, processedAt, ...one.carried };
    return stored.get(one.id) ?? messageView(message, place, publicUrl);
  });
}
