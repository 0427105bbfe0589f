import { setTimeout as wait } from 'node:timers/promises';
import { newAuthor, openConversation, postOnce } from './load.ts';
import type { LoadContext, Timeline } from './load.ts';

/**
 * Renames, closes and reopens a conversation repeatedly. An acknowledged change is readable at once
 * at the other process.
 */
export async function changeConversation(load: LoadContext): Promise<void> {
  const { admin, random, ending, name } = load;
  const timeline = await openConversation(load);
  const acknowledged = newAuthor(timeline);
  const path = `/conversations/${timeline.conversation}`;
  while (!ending.aborted) {
    const called = name('name');
    const body = { name: called, meta: { called } };
    await admin.insist({ method: 'PATCH', path, body });
    await expectRead(load, timeline, body);
    const close = await postOnce(load, timeline, { type: 'command', text: '/set status closed' });
    if (!close) return;
    await expectRead(load, timeline, { status: 'closed', name: called });
    const reopen = await postOnce(load, timeline, { role: 'contact' });
    if (!reopen) return;
    await expectRead(load, timeline, { status: 'queued', name: called });
    acknowledged.push(close, reopen);
    await wait(random.between(100, 1_000));
  }
}

async function expectRead(
  { admin, journal, random }: LoadContext,
  { conversation }: Timeline,
  fields: Record<string, unknown>,
): Promise<void> {
  const { body } = await admin.insist({ method: 'GET', path: `/conversations/${conversation}` });
  const wrong = Object.entries(fields).some(
    ([key, value]) => JSON.stringify(body[key]) !== JSON.stringify(value),
  );
  if (wrong) journal.violated('what is acknowledged can be read', { conversation, fields, body });
  await wait(random.between(0, 100));
}
