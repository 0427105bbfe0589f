import { setTimeout as sleep } from 'node:timers/promises';
import { loadEventPath } from '../../application/business-events/result-parts.ts';
import { randomIds } from '../../application/posting/id-generator.ts';
import type { IdGenerator } from '../../application/posting/id-generator.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import { DomainError } from '../../domain/errors.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import type { Release } from '../../platform/concurrency/fair-scheduler.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { countRepetition } from '../../store/records/business-events.ts';
import type { EventDocument, EventOutcome } from '../../store/records/business-events.ts';
import { keyDigest, withIdempotencyKey } from '../pipeline/idempotency.ts';
import type { RequestKey } from '../pipeline/idempotency.ts';
import { serializeResponse } from '../pipeline/response.ts';
import type { Api, ApiRequest, HandlerResult, SerializedResponse } from '../request.ts';
import { prepareEvent } from '../resources/business-events/create.ts';
import { runStoredEvent } from '../resources/business-events/run.ts';
import type { EventRunDeps, ReadyEvent } from '../resources/business-events/run.ts';
import { locateEvent } from '../resources/business-events/schema.ts';

/** Slack waits three seconds for a response, Shopify five. */
const OUTCOME_MS = 2_000;
const NEXT_TRY_MS = 1_000;
const MAX_RUNNING = 2;
const MAX_WAITING = 40;

export interface IngestPost {
  type: string;
  /** Prefix of the keys of the address. */
  caller: string;
  key: RequestKey | undefined;
  buildRequest: (ids: IdGenerator) => ApiRequest;
}

export type AcceptPost = (post: IngestPost) => Promise<SerializedResponse>;

/** A few events of an address run at once, so that a flood delays no other address. */
export interface IngestTurns {
  /** Rejects with DomainError `rate_limited` while too many events of an address wait. */
  place: FairScheduler;
  running: FairScheduler;
}

const createTurns = (): IngestTurns => ({
  place: new FairScheduler({
    maxEach: MAX_RUNNING + MAX_WAITING,
    maxWaitingEach: 0,
    refusal: queueFullError,
  }),
  running: new FairScheduler({ maxEach: MAX_RUNNING }),
});

function queueFullError(): DomainError {
  const message = 'Too many posts to this address are under way. Nothing was stored; try again later.';
  return new DomainError('rate_limited', message, { retryAfterSeconds: 1 });
}

/**
 * Stores the event of a post and responds 202 even if its expression fails: a sender cannot repair
 * an event type (spec 8.9). Waits two seconds for the outcome. After that the event continues, and
 * the response has the status `received`.
 */
export function createAccept(api: Api, encryption: Encryption): AcceptPost {
  const turns = createTurns();
  return async ({ type, caller, key, buildRequest }) => {
    const leave = await turns.place.enter([type]);
    let settled: Promise<unknown> = Promise.resolve();
    let isFinal = false;
    const run = async (ids: IdGenerator) => {
      const ready = await prepareEvent(buildRequest(ids));
      let outcome: EventSummary;
      if ('ended' in ready) outcome = ready.ended;
      else if (ready.isUnderWay) outcome = ready.stored.event;
      else {
        const running = runInTurn(ready, { type, turns, api });
        settled = running;
        outcome = await withTimeout(running, OUTCOME_MS, () => ready.stored.event);
      }
      isFinal = outcome.status === 'processed' || outcome.status === 'ignored';
      return serializeResponse(buildAcceptedResult(outcome, api));
    };
    try {
      if (!key) return await run(randomIds);
      const keyed = { ...key, caller, run, isFinal: () => isFinal };
      const answer = await withIdempotencyKey(keyed, encryption, api.config.deadlines);
      if (key.isDigest && answer.headers['Idempotent-Replayed'])
        await countRepetition(keyDigest(caller, key));
      return answer;
    } finally {
      void settled.finally(leave);
    }
  };
}

type EventSummary = EventOutcome & Pick<EventDocument, '_id'>;

/** Never rejects: an event whose run fails here is still `received` and runs later (spec 8.3). */
export async function runInTurn(
  ready: ReadyEvent,
  {
    type,
    turns,
    api,
  }: {
    type: string;
    turns: Pick<IngestTurns, 'running'>;
    api: EventRunDeps & Pick<Api, 'admissionQueues' | 'ending'>;
  },
): Promise<EventSummary> {
  const { event } = ready.stored;
  const release = await turns.running.enter([type]);
  try {
    const slot = await enterWhenFree(event, api);
    return { _id: event._id, ...(await runStoredEvent(ready, api, slot)) };
  } catch (error) {
    api.log.warn({ err: error, event: event._id }, 'an event of an ingest address runs later');
    return event;
  } finally {
    release();
  }
}

/** Waits while the organization's queue is full. The event is stored, so it is not refused. */
async function enterWhenFree(
  { organization, name }: Pick<EventDocument, 'organization' | 'name'>,
  { admissionQueues, ending }: Pick<Api, 'admissionQueues' | 'ending'>,
): Promise<Release> {
  const path = await loadEventPath(organization, name);
  for (;;) {
    try {
      return await admissionQueues.events.enter(path);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error;
    }
    await sleep(NEXT_TRY_MS, undefined, { signal: ending });
  }
}

function buildAcceptedResult(
  { _id, status, conversations, messages, error }: EventSummary,
  { config }: Pick<Api, 'config'>,
): HandlerResult {
  return {
    status: 202,
    body: {
      id: _id,
      status,
      conversations,
      messages,
      ...(status === 'failed' ? definedFields({ error }) : {}),
    },
    headers: { Location: locateEvent(_id, config) },
  };
}
