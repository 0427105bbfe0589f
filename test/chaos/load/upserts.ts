import { setTimeout as wait } from 'node:timers/promises';
import type { ApiResponse } from '../../support/client.ts';
import { newAuthor } from './load.ts';
import type { LoadContext } from './load.ts';

const AT_ONCE = 4;

/**
 * Sends several first messages of one contact at once, which must create one contact, one
 * conversation, and each message once (spec 5.7).
 */
export async function upsertAtOnce(load: LoadContext): Promise<void> {
  const { journal, random, ending, timelines } = load;
  while (!ending.aborted) {
    const email = `${load.name('contact')}@example.com`.replaceAll(' ', '-');
    const texts = Array.from({ length: AT_ONCE }, () => load.name('text'));
    const answers = await Promise.all(texts.map((text) => upsert(load, email, text)));
    const ids = new Set(answers.map(({ body }) => body.id as string));
    const [id] = ids;
    const made = answers.filter(({ status }) => status === 201).length;
    if (ids.size !== 1 || made > 1 || id === undefined || answers.some(({ status }) => status >= 300)) {
      const facts = answers.map(({ status, body }) => ({ status, id: body.id, code: body.code }));
      journal.violated('upserts at once make one conversation', { email, facts });
      return;
    }
    journal.count('upserts acknowledged', AT_ONCE);
    const timeline = { conversation: id, authors: [] };
    timelines.push(timeline);
    load.afterwards.push(() =>
      checkContact(load, { email, conversation: id, texts, author: newAuthor(timeline) }),
    );
    await wait(random.between(300, 1_500));
  }
}

function upsert(
  { admin, organization }: LoadContext,
  email: string,
  text: string,
): Promise<ApiResponse<any>> {
  const messages = [{ type: 'chat', role: 'contact', text, externalId: text }];
  const body = { organization, type: 'contact', contact: { profile: { email } }, messages };
  return admin.insist({ method: 'POST', path: '/conversations', body });
}

interface Upserted {
  email: string;
  conversation: string;
  texts: string[];
  author: { id: string; sequence: number; text: string }[];
}

async function checkContact(
  { admin, journal }: LoadContext,
  { email, conversation, texts, author }: Upserted,
) {
  const { body: contacts } = await admin.insist({ method: 'GET', path: `/contacts?profile.email=${email}` });
  if (contacts.length !== 1 || contacts[0].conversation !== conversation)
    journal.violated('upserts at once make one contact', { email, contacts });
  const path = `/messages?conversation=${conversation}&sort=sequence&limit=1000`;
  const { body: stored } = await admin.insist({ method: 'GET', path });
  // The responses contain the conversation but not the message ids, so the messages are matched by
  // text.
  for (const { id, sequence, text } of stored) if (texts.includes(text)) author.push({ id, sequence, text });
  if (author.length !== texts.length)
    journal.violated('each message of an upsert is stored once', { email, texts, author });
}
