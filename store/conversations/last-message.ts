import { summarizeMessage } from '../../domain/conversations/last-message.ts';
import { SPOKEN_TYPES } from '../../domain/messages/message.ts';
import type { MessageDraft, Remaining } from '../../domain/messages/message.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { conversationModel } from './conversations.ts';
import { messageModel } from './messages.ts';

/** `id`: the message. `version`: that of the commit which changes it. */
interface ShownMessage {
  conversation: string;
  id: string;
  version: number;
}

// A later commit may have written the field already.
function whileLast({ conversation, id, version }: ShownMessage) {
  return { _id: conversation, 'lastMessage.id': id, 'lastMessage.version': { $lt: version } };
}

const spokenMessages = (conversation: string) => ({
  conversation,
  sequence: { $exists: true },
  type: { $in: [...SPOKEN_TYPES] },
  ...NOT_DELETED,
});

/** Counts at most `maxLater` later messages. */
export async function findRemaining(
  conversation: string,
  { id, sequence, maxLater }: { id: string; sequence: number; maxLater: number },
): Promise<Remaining> {
  const spoken = spokenMessages(conversation);
  const [last, later] = await Promise.all([
    messageModel.collection.findOne(
      { ...spoken, _id: { $ne: id } },
      { projection: { processedAt: 1 }, sort: { sequence: -1 } },
    ),
    maxLater > 0
      ? messageModel.countDocuments({ ...spoken, sequence: { $gt: sequence } }, { limit: maxLater })
      : 0,
  ]);
  return { later, ...definedFields({ lastMessageAt: last?.processedAt?.toISOString() }) };
}

const SHOWN = { type: 1, text: 1, isBackchannel: 1, role: 1, user: 1, contentType: 1 } as const;

/** Does nothing unless the message is the last one. Repeatable. */
export async function editLastMessage(
  shown: ShownMessage,
  { text, contentType }: Pick<MessageDraft, 'text' | 'contentType'>,
): Promise<void> {
  await conversationModel.collection.updateOne(whileLast(shown), {
    $set: {
      'lastMessage.text': text,
      ...definedFields({ 'lastMessage.contentType': contentType }),
      'lastMessage.version': shown.version,
    },
  });
}

/** Shows the message before a deleted one. Call after the deletion. Repeatable. */
export async function replaceLastMessage(shown: ShownMessage): Promise<void> {
  const isLast = await conversationModel.collection.findOne(whileLast(shown), { projection: { _id: 1 } });
  if (!isLast) return;
  const before = await messageModel.collection.findOne(spokenMessages(shown.conversation), {
    projection: SHOWN,
    sort: { sequence: -1 },
  });
  const lastMessage = before && {
    ...summarizeMessage({ ...before, id: before._id }),
    version: shown.version,
  };
  await conversationModel.collection.updateOne(
    whileLast(shown),
    lastMessage ? { $set: { lastMessage } } : { $unset: { lastMessage: '' } },
  );
}
