import { Readable } from 'node:stream';
import { storeFile } from '../../../application/files/store-file.ts';
import { notFound } from '../../../domain/errors.ts';
import { VIEWER_TYPES } from '../../../domain/messages/chat-page-message.ts';
import { renderEntry, renderTranscript } from '../../../domain/messages/transcript.ts';
import { contactName } from '../../../domain/scope.ts';
import { findContactById } from '../../../store/conversations/contacts.ts';
import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import { findMainThread } from '../../../store/conversations/stream.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { storeFileDeps } from '../../files/upload.ts';
import { presentToContact } from '../../chat-page/chat-target.ts';
import { loadCallerPath } from '../../listing/line.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';

/** The newest messages that a transcript has. */
const MAX_MESSAGES = 5_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;
const PAGE = { limit: 100, maxCharacters: 1024 * 1024 };

/** POST /conversations/{id}/transcript: creates a file of the conversation (spec 6.13). */
export async function createTranscript(
  { principal, id, ids, receivedAt }: ApiRequest,
  api: Api,
): Promise<HandlerResult> {
  const found = await findConversation(principal.reach, id);
  if (!found) throw notFound('The conversation');
  const { organization } = found;
  const { config } = api;
  const release = await api.uploads.enter(await loadCallerPath(principal));
  try {
    const text = await writeTranscript(found, { publicUrl: config.publicUrl, createdAt: receivedAt });
    const body = await storeFile(storeFileDeps(api), {
      ...{ id: ids.newId(), name: 'transcript.txt', chunks: Readable.from([Buffer.from(text)]) },
      owner: { conversation: id, organization, createdBy: principal.user },
    });
    // The body has the file's key.
    return { status: 201, headers: { Location: body.url, 'Cache-Control': 'no-store' }, body };
  } finally {
    release();
  }
}

interface TranscriptContext {
  publicUrl: string;
  createdAt: string;
}

async function writeTranscript(
  { _id: id, organization, contact, name }: ConversationDocument,
  { publicUrl, createdAt }: TranscriptContext,
): Promise<string> {
  const [owner, person] = await Promise.all([
    organizationContext(organization),
    contact === undefined ? null : findContactById(contact),
  ]);
  const names = {
    organization: owner?.title ?? 'Support',
    contact: contactName(person?.profile ?? {}) || 'Contact',
  };
  const entries: string[] = [];
  let characters = 0;
  let before = Number.MAX_SAFE_INTEGER;
  let more = true;
  while (more && entries.length < MAX_MESSAGES && characters < MAX_CHARACTERS) {
    const page = await findMainThread(id, { before, types: VIEWER_TYPES, ...PAGE });
    for (const record of page.records) {
      const shown = await presentToContact(record, publicUrl);
      const entry = shown ? renderEntry(shown, names) : '';
      if (entry !== '') entries.push(entry);
      characters += entry.length;
    }
    before = page.records.at(-1)?.sequence ?? 0;
    ({ more } = page);
  }
  return renderTranscript({
    title: name ?? names.organization,
    entries: entries.reverse(),
    isCut: more,
    createdAt,
  });
}
