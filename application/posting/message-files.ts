import { unprocessable, withinMessage } from '../../domain/errors.ts';
import { contentTypeOfFile, findFileKeys, parseFileUrl } from '../../domain/files/file.ts';
import { assertValidMeta } from '../../domain/free-form.ts';
import type { MessageEdit } from '../../domain/messages/edit.ts';
import type { ContentType, MessageDraft, StoredMessage } from '../../domain/messages/message.ts';
import { holdFiles } from '../../store/files/files.ts';
import type { CompleteFile } from '../../store/files/files.ts';
import type { Posting } from './posting-context.ts';

/**
 * Describes the files of messages in `contentType` and `meta.media` (spec 6.11). Keeps all files
 * that the messages have until their rows are written. Throws DomainError `unprocessable` if the
 * text of a message is the address of a file that the conversation does not have.
 */
export async function describeFiles(drafts: MessageDraft[], posting: Posting): Promise<MessageDraft[]> {
  const keys = [...new Set(drafts.flatMap(findFileKeys))];
  if (keys.length === 0) return drafts;
  const { place, pendingFiles, deps } = posting;
  const files = await holdFiles(keys, { conversation: place.id, pending: pendingFiles });
  return drafts.map((draft, at) => {
    const key = parseFileUrl(draft.text, deps.config.publicUrl);
    if (key === undefined || draft.contentType === undefined) return draft;
    return withinMessage(at, drafts.length, () => describeFile(draft, files.get(key)));
  });
}

type FileMessage = Pick<MessageDraft, 'text' | 'meta'>;

function describeFile<M extends FileMessage>(
  message: M,
  file: CompleteFile | undefined,
): M & Required<FileMessage> & { contentType: ContentType } {
  if (!file) throw unprocessable('is the address of a file that this conversation does not have', 'text');
  const { name, type, bytes } = file;
  const meta = { ...message.meta, media: { name, type, bytes } };
  assertValidMeta(meta);
  return { ...message, text: message.text.trim(), contentType: contentTypeOfFile(type), meta };
}

/** Makes `contentType` and `meta.media` follow an edit. Throws as `describeFiles` (spec 6.11). */
export async function describeEditedFile(
  edit: MessageEdit,
  stored: StoredMessage,
  { conversation, publicUrl }: { conversation: string; publicUrl: string },
): Promise<MessageEdit> {
  if (stored.contentType === undefined || (edit.text === undefined && edit.meta === undefined)) return edit;
  const { text = stored.text } = edit;
  const meta = (edit.meta === undefined ? stored.meta : edit.meta) ?? {};
  const key = parseFileUrl(text, publicUrl);
  if (key !== undefined) {
    const files = await holdFiles([key], { conversation });
    return { ...edit, ...describeFile({ text, meta }, files.get(key)) };
  }
  if (parseFileUrl(stored.text, publicUrl) === undefined) return edit;
  const { media: _, ...others } = meta;
  return { ...edit, contentType: 'text/plain', meta: Object.keys(others).length > 0 ? others : null };
}
