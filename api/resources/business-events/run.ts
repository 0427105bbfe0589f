import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import { isPaused, unavailable } from '../../../domain/errors.ts';
import { loadEventPath } from '../../../application/business-events/result-parts.ts';
import { runEvent } from '../../../application/business-events/run-event.ts';
import { loadEvent } from '../../../store/records/business-events.ts';
import type { EventDocument, EventOutcome, StoredEvent } from '../../../store/records/business-events.ts';
import type { HandlerResult, Api } from '../../request.ts';
import { buildOutcomeResult } from './schema.ts';

const TIMEOUT_MS = 20_000;

/** A run that was about to end when it was joined is followed by one that begins after that. */
const MAX_RUNS = 3;

/** An event that is stored and is to be run. */
export interface ReadyEvent {
  stored: StoredEvent;
  /** Of its event type, where it has just been read. */
  expression?: string | undefined;
}

type EventRunDeps = Pick<Api, 'config' | 'posting' | 'expressions' | 'log'> & {
  temporal: { events: Pick<Api['temporal']['events'], 'run' | 'start'> };
};

/**
 * Runs an event in its organization's turn, and answers what became of it. `ready` stores it, or
 * makes it ready to be run again, or answers where there is nothing to run: it is not called where
 * too much of the organization's is under way (`rate_limited`). Rejects with `unavailable` after 20
 * seconds, and with `paused` at once where an operator has paused the conversation; it is run all
 * the same.
 */
export async function runAdmittedEvent(
  { organization, name }: Pick<EventDocument, 'organization' | 'name'>,
  api: EventRunDeps & Pick<Api, 'admissionQueues'>,
  ready: () => Promise<ReadyEvent | HandlerResult>,
): Promise<HandlerResult> {
  const place = await api.admissionQueues.events.enter(await loadEventPath(organization, name));
  const event = await ready().catch((error: unknown) => {
    place.release();
    throw error;
  });
  if (!('stored' in event)) {
    place.release();
    return event;
  }
  const { _id } = event.stored.event;
  const outcome = await withTimeout(runStoredEvent(event, api, place.release), TIMEOUT_MS, () => {
    throw unavailable();
  });
  return buildOutcomeResult({ _id, ...outcome }, api);
}

/**
 * Runs a stored event in this process; what cannot be brought to its end here is left to a
 * workflow, which waits out whatever is down. `ended` is told when it is no longer under way, and
 * what it cost in milliseconds, if that is known.
 */
export async function runStoredEvent(
  { stored, expression }: ReadyEvent,
  api: EventRunDeps,
  ended: (costMs?: number) => void = () => undefined,
): Promise<EventOutcome> {
  const { posting, expressions, config, log } = api;
  const { _id: id } = stored.event;
  try {
    const deps = { posting, expressions, publicUrl: config.publicUrl };
    const { outcome, costMs } = await runEvent(stored, deps, expression);
    ended(costMs);
    return outcome;
  } catch (error) {
    log.warn({ err: error, event: id }, 'an event is left to a workflow');
    if (!isPaused(error)) return runByWorkflow(id, api, ended);
    // Nobody knows for how long: the workflow waits, and neither its caller nor other events do.
    await api.temporal.events.start(id).finally(() => ended());
    throw error;
  }
}

async function runByWorkflow(
  id: string,
  { temporal }: Pick<EventRunDeps, 'temporal'>,
  ended: (costMs?: number) => void,
): Promise<EventOutcome> {
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    await temporal.events.run(id, ended);
    const stored = await loadEvent(id);
    if (!stored) break;
    if (stored.event.status !== 'received') return stored.event;
  }
  throw unavailable();
}
