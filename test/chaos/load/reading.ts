import { setTimeout as wait } from 'node:timers/promises';
import type { LoadContext } from './load.ts';

/**
 * Reads lists and conversations during writes. A message that was acknowledged before the request
 * is in the response with its sequence.
 */
export async function readAlong({ admin, journal, random, ending, timelines }: LoadContext): Promise<void> {
  while (!ending.aborted) {
    await wait(random.between(100, 600));
    const path = random.pick([
      '/conversations?limit=5',
      '/deliveries?limit=5',
      '/contacts?limit=5',
      '/users/me',
    ]);
    await admin.ask({ method: 'GET', path });
    if (timelines.length === 0) continue;
    const { conversation, authors } = random.pick(timelines);
    const known = authors.flat().slice(-50);
    const asked = `/messages?conversation=${conversation}&sort=-sequence&limit=1000`;
    const answer = await admin.ask({ method: 'GET', path: asked });
    if (answer?.status !== 200) continue;
    const stored = new Map<string, number>(answer.body.map(({ id, sequence }: any) => [id, sequence]));
    const lost = known.filter(({ id, sequence }) => stored.get(id) !== sequence);
    if (lost.length > 0 && answer.body.length < 1000)
      journal.violated('what is acknowledged can be read', { conversation, lost: lost.slice(0, 5) });
  }
}
