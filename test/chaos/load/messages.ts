import { setTimeout as wait } from 'node:timers/promises';
import type { Request } from '../caller.ts';
import type { Acknowledged, LoadContext, Timeline } from './load.ts';
import { newAuthor } from './load.ts';

/**
 * Posts messages, alone or in groups, with an externalId or an Idempotency-Key, to `/messages` and
 * to `/conversations/{id}/messages`. Each request is repeated until it is acknowledged. Later
 * acknowledgements have higher sequences.
 */
export async function writeMessages(load: LoadContext, timeline: Timeline): Promise<void> {
  const { admin, journal, random, ending } = load;
  const acknowledged = newAuthor(timeline);
  while (!ending.aborted) {
    const { texts, request } = nextRequest(load, timeline.conversation);
    const { status, body } = await admin.insist(request);
    const answers: Acknowledged[] = [body].flat().map(({ id, sequence, text }) => ({ id, sequence, text }));
    if (status >= 300 || answers.map(({ text }) => text).join() !== texts.join()) {
      journal.violated('what was posted is answered', { request, status, body });
      return;
    }
    for (const answer of answers) note(answer);
    await wait(random.between(20, 250));
  }

  function note(answer: Acknowledged): void {
    const before = acknowledged.at(-1);
    if (before && before.sequence >= answer.sequence)
      journal.violated('messages of one author keep their order', { before, answer });
    acknowledged.push(answer);
    journal.count('messages acknowledged');
  }
}

function nextRequest(
  { random, name }: LoadContext,
  conversation: string,
): { texts: string[]; request: Request } {
  const texts = Array.from({ length: random.chance(0.25) ? random.integer(2, 5) : 1 }, () => name('text'));
  const byKey = random.chance(0.5);
  const below = random.chance(0.5);
  const messages = texts.map((text) => ({
    ...{ text, role: 'agent' },
    ...(byKey ? {} : { externalId: text }),
    ...(below ? {} : { conversation }),
  }));
  return {
    texts,
    request: {
      method: 'POST',
      path: below ? `/conversations/${conversation}/messages` : '/messages',
      body: messages.length === 1 ? messages[0] : messages,
      ...(byKey ? { headers: { 'Idempotency-Key': texts.join() } } : {}),
    },
  };
}
