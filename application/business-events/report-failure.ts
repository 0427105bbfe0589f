import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { eventId } from '../../domain/events/event-name.ts';
import { toEventActor } from '../../domain/events/event-record.ts';
import type { DomainError } from '../../domain/errors.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { storeDate } from '../../store/cluster/clock.ts';
import { publish } from '../../store/delivery/publish.ts';
import type { EventDocument, EventStatus } from '../../store/records/business-events.ts';
import {
  countFailure,
  endFailureCount,
  eventTypeRecord,
  findEventType,
  findUnreportedFailures,
} from '../../store/records/eventtypes.ts';
import type { FailureCount, FailureNotice } from '../../store/records/eventtypes.ts';
import { findLatestFailed } from '../../store/records/find-events.ts';
import type { PostingDeps } from '../posting/posting-context.ts';

/** Bounds the loop of a receiver that posts an event for each event that it receives. */
const EVERY_MS = 60_000;
const MAX_DETAILS = 20;

/**
 * Publishes `eventtype.error` to the organization of the event type: for the first failure, then at
 * most once a minute with the number of failures (spec 8.3). Call it before the outcome is stored,
 * so that a crash loses no notification. A repetition of the run publishes the same event id.
 */
export async function reportFailure(
  event: EventDocument,
  { message, details }: Pick<DomainError, 'message' | 'details'>,
  { config }: Pick<PostingDeps, 'config'>,
): Promise<void> {
  const { _id, eventtype, round } = event;
  if (eventtype === undefined) return;
  const run = eventId(_id, round + 1);
  const notice = await countFailure(eventtype, { run, now: storeDate(), everyMs: EVERY_MS });
  if (notice)
    await publishFailure(
      { ...notice, run, event, error: { message, ...definedFields({ details }) } },
      config,
    );
}

export async function findFurtherFailures(limit: number): Promise<FailureCount[]> {
  return findUnreportedFailures(new Date(storeDate().getTime() - EVERY_MS), limit);
}

/** Reports the failures of the minute after a notice, by the latest failed event of the type. */
export async function reportFurtherFailures(known: FailureCount, config: PublishConfig): Promise<void> {
  const now = storeDate();
  const [type, failed] = await Promise.all([findEventType(known._id), findLatestFailed(known._id, 2)]);
  // The last notice may be about the latest event.
  const event = failed.find(({ _id, round }) => eventId(_id, round + 1) !== known.run);
  const run = event ? eventId(event._id, event.round + 1) : known.run;
  if (type && event?.error) {
    const { error } = event;
    await publishFailure({ type, event, error, run, notifiedAt: now, count: known.count }, config);
  }
  await endFailureCount(known, { run, now });
}

type PublishConfig = Parameters<typeof publish>[1];

interface FailureReport extends FailureNotice {
  run: string;
  event: EventDocument;
  error: NonNullable<EventDocument['error']>;
}

async function publishFailure(
  { type, run, notifiedAt, count, event, error }: FailureReport,
  config: PublishConfig,
): Promise<void> {
  const { _id, name, caller, createdAt } = event;
  const { message, details } = error;
  const reason = { message, ...definedFields({ details: details?.slice(0, MAX_DETAILS) }) };
  await publish(
    {
      id: run,
      name: 'eventtype.error',
      timestamp: notifiedAt.toISOString(),
      organization: type.organization,
      actor: toEventActor(caller),
      data: {
        eventtype: eventTypeRecord.present(type),
        error: { ...reason, event: _id, name, at: createdAt.toISOString(), count },
      },
    },
    config,
  );
}

const outcomes: Partial<Record<EventStatus, number>> = {};

export function noteOutcome(status: EventStatus): void {
  outcomes[status] = (outcomes[status] ?? 0) + 1;
}

export function registerEventOutcomes(registry: Registry): void {
  new Counter({
    name: 'parlance_event_runs_total',
    help: 'Runs of business events in this process, by outcome; failed is an expression or its result',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const outcome of ['processed', 'ignored', 'failed'] as const) {
        this.inc({ outcome }, outcomes[outcome] ?? 0);
      }
    },
  });
}
