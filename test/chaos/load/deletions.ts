import { setTimeout as wait } from 'node:timers/promises';
import type { LoadContext } from './load.ts';
import { postOnce } from './load.ts';

/**
 * Creates conversations with a message in flight and a delayed message, and deletes the
 * conversations. Deleted conversations must not reappear.
 */
export async function deleteConversations(load: LoadContext): Promise<void> {
  const { admin, journal, random, ending, deleted, organization, name } = load;
  while (!ending.aborted) {
    const email = `${name('leaving')}@example.com`.replaceAll(' ', '-');
    const messages = [{ type: 'chat', role: 'contact', text: 'hello', externalId: 'hello' }];
    const body = { organization, type: 'contact', contact: { profile: { email } }, messages };
    const { body: opened } = await admin.insist({ method: 'POST', path: '/conversations', body });
    const timeline = { conversation: opened.id as string, authors: [] };
    await postOnce(load, timeline, { delay: random.integer(500, 8_000) });
    // This message is in flight during the deletion and may or may not arrive.
    const late = admin.ask({
      method: 'POST',
      path: '/messages',
      body: { conversation: opened.id, text: 'late' },
    });
    const path = `/conversations/${opened.id}`;
    const { status } = await admin.insist({ method: 'DELETE', path });
    // 404 means that an earlier attempt, whose response was lost, deleted the conversation.
    if (status !== 204 && status !== 404) journal.violated('a conversation is deleted', { path, status });
    await late;
    deleted.push(opened.id);
    journal.count('conversations deleted');
    const again = await admin.insist({
      method: 'POST',
      path: '/messages',
      body: { conversation: opened.id, text: 'x' },
    });
    if (again.status !== 404)
      journal.violated('a deleted conversation takes nothing', { path, status: again.status });
    await wait(random.between(800, 3_000));
  }
}
