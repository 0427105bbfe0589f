import { ignoredFields } from '../../../domain/messages/draft.ts';
import type { MessageInput } from '../../../domain/messages/draft.ts';
import type { FieldPath } from '../../pipeline/ignored-header.ts';

/**
 * The fields of messages in a body that were ignored because their type does not have them; `path`
 * leads to the messages.
 */
export function collectIgnoredFields(
  messages: MessageInput | MessageInput[],
  path: FieldPath = [],
): FieldPath[] {
  if (!Array.isArray(messages)) return ignoredFields(messages).map((field) => [...path, field]);
  return messages.flatMap((message, at) => ignoredFields(message).map((field) => [...path, at, field]));
}
