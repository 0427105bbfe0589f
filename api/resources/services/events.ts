import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import type { Static } from 'typebox';
import { PULL } from '../../../domain/delivery/pull.ts';
import { invalidRequest, notFound, unprocessable } from '../../../domain/errors.ts';
import { parseParameters } from '../../../domain/query/query-string.ts';
import { includesScope } from '../../../domain/scope.ts';
import { about, object } from '../../../schema/kinds.ts';
import { acknowledgeDeliveries, pullDeliveries, releaseClaim } from '../../../store/delivery/pulled-lanes.ts';
import type { PulledEvents } from '../../../store/delivery/pulled-lanes.ts';
import { findService, hasAddress } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { JSON_TYPE } from '../../pipeline/response.ts';
import { assertKnownParameters } from '../../request.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';
import type { OwnRecord } from '../../route.ts';
import { assertActiveService } from '../deliveries/retry.ts';

/** A bot with scope bot pulls the events of the service whose user it is. */
export const ownService: OwnRecord = {
  words: 'bot for the bot of the service',
  async isOwn({ reach, user, scope }, id) {
    const service = await findService(reach, id);
    return service?.user === user && includesScope(scope, 'bot');
  },
};

const seconds = ({ default: usual, max }: { default: number; max: number }, min: number) =>
  Type.Integer({ minimum: min, maximum: max, default: usual });

export const pullQuery = Type.Object({
  limit: Type.Optional(
    about(
      Type.Integer({ minimum: 1, maximum: PULL.limit.max, default: PULL.limit.default }),
      'The largest number of events. Fewer may be returned while others wait.',
      PULL.limit.default,
    ),
  ),
  wait: Type.Optional(
    about(seconds(PULL.wait, 0), 'Seconds to wait for an event if none is pending.', PULL.wait.default),
  ),
  visibility: Type.Optional(
    about(
      seconds(PULL.visibility, 1),
      'Visibility timeout: seconds until unacknowledged events are returned again.',
      PULL.visibility.default,
    ),
  ),
});

const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 1_000;

/** A pull beyond this number does not wait. */
const MAX_WAITING = { perService: 10, total: 500 };

/** Waiting pulls of this process, by service. */
const waiting = new Map<string, number>();
let waitingInTotal = 0;

/** GET /services/{id}/events (spec 7.13). */
export async function pullEvents(request: ApiRequest, { ending }: Api): Promise<HandlerResult> {
  const { limit, wait, visibility } = parsePull(request.querystring);
  const service = await findPulled(request);
  const pull = () => pullUnlessGone(request, service, { limit, visibilityMs: visibility * 1_000 });
  const first = await pull();
  const mayWait = first.length === 0 && wait > 0;
  const bodies = mayWait
    ? await waitFor(pull, { service: service._id, waitMs: wait * 1_000, ending })
    : first;
  return {
    status: 200,
    headers: { 'Content-Type': JSON_TYPE },
    // The stored bodies, as a receiver of webhooks gets them.
    body: Buffer.from(`[${bodies.join(',')}]`),
  };
}

async function pullUnlessGone(
  { isGone = () => false }: ApiRequest,
  { _id }: ServiceDocument,
  options: Parameters<typeof pullDeliveries>[1],
): Promise<string[]> {
  if (isGone()) return [];
  const { claim, rows }: PulledEvents = await pullDeliveries(_id, options);
  if (!isGone()) return rows.map(({ body }) => body);
  await releaseClaim(
    claim,
    rows.map(({ lane }) => lane),
  );
  return [];
}

async function waitFor(
  pull: () => Promise<string[]>,
  { service, waitMs, ending }: { service: string; waitMs: number; ending: AbortSignal },
): Promise<string[]> {
  const others = waiting.get(service) ?? 0;
  if (others >= MAX_WAITING.perService || waitingInTotal >= MAX_WAITING.total) return [];
  waiting.set(service, others + 1);
  waitingInTotal += 1;
  try {
    const deadline = performance.now() + waitMs;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS)) {
      const leftMs = deadline - performance.now();
      await sleep(Math.max(0, Math.min(pollMs, leftMs)), undefined, { signal: ending }).catch(
        () => undefined,
      );
      if (ending.aborted) return [];
      const bodies = await pull();
      if (bodies.length > 0 || performance.now() >= deadline) return bodies;
    }
  } finally {
    waitingInTotal -= 1;
    const left = (waiting.get(service) ?? 1) - 1;
    if (left > 0) waiting.set(service, left);
    else waiting.delete(service);
  }
}

function parsePull(querystring: string): Record<keyof typeof PULL, number> {
  const parameters = parseParameters(querystring);
  assertKnownParameters(parameters.keys(), Object.keys(PULL));
  const read = (name: keyof typeof PULL, min: number) => {
    const text = parameters.get(name);
    if (text === undefined) return PULL[name].default;
    const value = /^\d{1,4}$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= PULL[name].max) return value;
    throw invalidRequest(name, `must be a whole number from ${min} to ${PULL[name].max}`);
  };
  return { limit: read('limit', 1), wait: read('wait', 0), visibility: read('visibility', 1) };
}

async function findPulled({ principal, id }: ApiRequest): Promise<ServiceDocument> {
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  if (hasAddress(service)) {
    throw unprocessable(
      'has an address, to which its events are sent: only a service without url is pulled',
      'service',
    );
  }
  assertActiveService(service);
  return service;
}

const MAX_ACKNOWLEDGED = 1_000;

export const ackInput = object('Acknowledgement', 'Events that have been handled.', {
  ids: about(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: MAX_ACKNOWLEDGED }),
    'The `id` of each event, in any order.',
    ['65f2a1c09b1d8e4f7a3c5d05-1'],
  ),
});

export const ackSchema = object('Acknowledged', 'The result of an acknowledgement.', {
  acknowledged: about(
    Type.Integer(),
    'The number of acknowledged events. Other ids were acknowledged before, or are unknown.',
    1,
  ),
});

/** POST /services/{id}/events/ack (spec 7.13). */
export async function acknowledgeEvents(
  request: ApiRequest<Static<typeof ackInput>>,
): Promise<HandlerResult> {
  const { _id } = await findPulled(request);
  return { status: 200, body: { acknowledged: await acknowledgeDeliveries(_id, request.body.ids) } };
}
