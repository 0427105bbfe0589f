import type { Contact, TimelineMessage } from '@parlance/client';
import { readMedia } from '../../../domain/files/media.ts';
import { download } from '../parts/download.ts';
import { client } from '../session.ts';
import { getContactName } from './contact.ts';

/** Downloads everything about the contact as one JSON file. */
export async function downloadContact(contact: Contact): Promise<void> {
  const conversations: object[] = [];
  const files: object[] = [];
  for await (const conversation of client.list('GET /conversations', { query: { contact: contact.id } })) {
    const messages: TimelineMessage[] = [];
    const path = { id: conversation.id };
    for await (const message of client.list('GET /conversations/{id}/timeline', { path })) {
      messages.push(message);
      const media = readMedia(message.meta);
      if (media) files.push({ ...media, url: message.text, message: message.id });
    }
    conversations.push({ ...conversation, messages });
  }
  const content = { exportedAt: new Date().toISOString(), contact, conversations, files };
  download(
    `${toFileName(getContactName(contact))}.json`,
    JSON.stringify(content, null, 2),
    'application/json',
  );
}

function toFileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}@.+-]+/gu, '-').slice(0, 100) || 'contact';
}
