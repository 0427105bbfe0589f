import { unavailable } from '../../domain/refusal.ts';
import { loadEvent } from '../../store/events.ts';
import type { Answer, Api } from '../request.ts';
import { outcomeAnswer } from './present.ts';

/** A run that was about to end when it was joined is followed by one that begins after that. */
const MOST_RUNS = 3;

/** Runs a stored event, and answers what became of it. Rejects with `unavailable` where that takes too long; it is run all the same. */
export async function runEvent(
  id: string,
  api: Pick<Api, 'config'> & { temporal: Pick<Api['temporal'], 'events'> },
): Promise<Answer> {
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    await api.temporal.events.run(id);
    const stored = await loadEvent(id);
    if (!stored) break;
    if (stored.event.status !== 'received') return outcomeAnswer(stored.event, api);
  }
  throw unavailable();
}
