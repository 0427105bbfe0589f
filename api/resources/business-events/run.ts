import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import { isPaused, unavailable } from '../../../domain/errors.ts';
import type { DomainError } from '../../../domain/errors.ts';
import { loadEventPath } from '../../../application/business-events/result-parts.ts';
import { runEvent } from '../../../application/business-events/run-event.ts';
import { loadEvent } from '../../../store/records/business-events.ts';
import type { EventDocument, EventOutcome, StoredEvent } from '../../../store/records/business-events.ts';
import type { HandlerResult, Api } from '../../request.ts';
import { buildOutcomeResult } from './schema.ts';

/** A request that joins a run just before its end needs another run. */
const MAX_RUNS = 3;

export interface ReadyEvent {
  stored: StoredEvent;
  expression?: string | undefined;
  /** A request before this one runs the event. */
  isUnderWay?: boolean;
}

/** An event that does not run. */
export interface EndedEvent {
  ended: EventDocument;
  /** Describes the event type that is missing. */
  unrouted?: DomainError;
}

export type EventRunDeps = Pick<Api, 'config' | 'posting' | 'expressions' | 'log'> & {
  temporal: { events: Pick<Api['temporal']['events'], 'run' | 'start'> };
};

/**
 * Runs an event in a slot of its organization. `ready` stores or reopens the event, or returns an
 * event that does not run. A full queue rejects with `rate_limited` before `ready`. The event still
 * runs after a rejection with `unavailable` (at the deadline) or `paused`.
 */
export async function runAdmittedEvent(
  { organization, name }: Pick<EventDocument, 'organization' | 'name'>,
  api: EventRunDeps & Pick<Api, 'admissionQueues'>,
  ready: () => Promise<ReadyEvent | EndedEvent>,
): Promise<HandlerResult> {
  const release = await api.admissionQueues.events.enter(await loadEventPath(organization, name));
  const event = await ready().catch((error: unknown) => {
    release();
    throw error;
  });
  if (!('stored' in event)) {
    release();
    return buildOutcomeResult(event.ended, api, event.unrouted);
  }
  const { _id } = event.stored.event;
  const { eventRun } = api.config.deadlines;
  const outcome = await withTimeout(runStoredEvent(event, api, release), eventRun, () => {
    throw unavailable();
  });
  return buildOutcomeResult({ _id, ...outcome }, api);
}

/**
 * Runs an event here or, after an error, in a workflow. Calls `ended` with the cost in
 * milliseconds, if known.
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
    log.warn({ err: error, event: id }, 'failed to run an event here; a workflow takes over');
    if (!isPaused(error)) return runByWorkflow(id, api, ended);
    // A pause may last long: only the workflow waits.
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
