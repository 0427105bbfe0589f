import type { Participant } from '../../domain/conversations/conversation.ts';
import { conversationView } from '../../domain/events/view.ts';
import type { ConversationView } from '../../domain/events/view.ts';
import type { ConversationDocument } from '../../store/conversations/conversations.ts';
import { isWithinReach } from '../../store/queries/reach.ts';
import type { Reach } from '../../store/queries/reach.ts';

/** The reach of a reader, and the base address of the pages. */
export interface PresentationContext {
  reach: Reach;
  publicUrl: string;
}

/** A stored conversation without the ids of its messages, as a reader sees it (spec 5.1). */
export async function presentConversation(
  document: ConversationDocument,
  reader: PresentationContext,
): Promise<ConversationView> {
  return (await conversationPresenter([document], reader))(document);
}

/**
 * Returns a function that presents any of these conversations. It hides the role of participants
 * out of reach, such as users of an organization above (spec 5.2).
 */
export async function conversationPresenter(
  documents: readonly ConversationDocument[],
  { reach, publicUrl }: PresentationContext,
): Promise<(document: ConversationDocument) => ConversationView> {
  const within = await organizationsWithin(reach, documents);
  const presentParticipant = (participant: Participant): Participant => {
    const { role, ...others } = participant;
    return within.has(participant.organization) ? participant : others;
  };
  return ({ _id, createdAt, updatedAt, lastMessageAt, results, participants, ...state }) =>
    conversationView(
      {
        ...state,
        id: _id,
        participants: participants.map(presentParticipant),
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
        lastMessageAt: lastMessageAt.toISOString(),
      },
      { publicUrl, results },
    );
}

/** Those organizations of the participants that are within reach. */
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
