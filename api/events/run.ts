import { unavailable } from '../../domain/refusal.ts';
import { loadEvent } from '../../store/events.ts';
import type { Answer, Api } from '../request.ts';
import { outcomeAnswer } from './present.ts';

/** Runs a stored event, and answers what became of it. Rejects with `unavailable` where that takes too long; it is run all the same. */
export async function runEvent(id: string, api: Api): Promise<Answer> {
  await api.temporal.events.run(id);
  const stored = await loadEvent(id);
  if (!stored || stored.event.status === 'received') throw unavailable();
  return outcomeAnswer(stored.event, api);
}
