import type { Client as TemporalClient } from '@temporalio/client';
import proto from '@temporalio/proto';
import { expect } from 'vitest';
import { computeShard } from '../../domain/delivery/delivery.ts';
import { arrivals } from '../support/arrivals.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { DELIVERY_SHARDS } from '../support/product.ts';
import type { Receiver } from '../support/receiver.ts';

const { TIMEOUT_TYPE_HEARTBEAT } = proto.temporal.api.enums.v1.TimeoutType;

interface Sent {
  receiver: Receiver;
  service: string;
  events: readonly string[];
}

interface Explained {
  admin: ApiClient;
  temporal: TemporalClient;
}

/**
 * Asserts that exactly these events arrive, each once. A repeat is allowed after a failed attempt
 * in the delivery log. A repeat is also allowed after missed heartbeats of the drain of the shard
 * in Temporal, because another worker then repeats the current attempt (spec 7.8).
 */
export async function expectEachSentOnce(
  { receiver, service, events }: Sent,
  from: Explained,
): Promise<void> {
  const timesSent = () => countEach(arrivals(receiver).map(({ json }) => json.id as string));
  await eventually(() => timesSent().size >= events.length, { withinMs: 120_000 });
  // Nothing is sent after the last pending delivery, so no repeat is missed.
  await eventually(async () => (await pendingOf(from.admin, service)) === 0, { withinMs: 120_000 });
  expect([...timesSent().keys()].sort()).toEqual([...events].sort());
  const repeated = [...timesSent()].filter(([, times]) => times > 1);
  if (repeated.length === 0) return;
  const missed = await countMissedHeartbeats(from.temporal, service);
  for (const [event, times] of repeated) {
    const { body } = await from.admin.get(`/deliveries/${event}:${service}`);
    const attempts = body.attempts as { outcome: string }[];
    const failed = attempts.filter(({ outcome }) => outcome !== 'delivered').length;
    const seen = { event, service, times, failed, missed };
    expect(seen).toEqual({ ...seen, times: Math.min(times, 1 + failed + missed) });
  }
}

/** Waits until a worker drains the shard of a service. Returns the process id of the worker. */
export function findDrainingWorker(temporal: TemporalClient, service: string): Promise<number> {
  return eventually(async () => {
    const { raw } = await drainOf(temporal, service).describe();
    // The worker identity has the format hostname-pid-suffix.
    return Number(raw.pendingActivities?.[0]?.lastWorkerIdentity?.split('-').at(-2));
  });
}

async function pendingOf(admin: ApiClient, service: string): Promise<number> {
  const { headers } = await admin.get(`/deliveries?service=${service}&status=pending&limit=1`);
  return Number(headers.get('x-total'));
}

/**
 * Returns how often Temporal timed out a drain of the service's shard because of missing
 * heartbeats.
 */
async function countMissedHeartbeats(temporal: TemporalClient, service: string): Promise<number> {
  const handle = drainOf(temporal, service);
  const [{ raw }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()]);
  const ended = (events ?? []).map(
    ({ activityTaskStartedEventAttributes }) => activityTaskStartedEventAttributes,
  );
  const missed = [...(raw.pendingActivities ?? []), ...ended].map((activity) =>
    activity?.lastFailure?.timeoutFailureInfo?.timeoutType === TIMEOUT_TYPE_HEARTBEAT
      ? (activity.attempt ?? 1) - 1
      : 0,
  );
  return missed.reduce((sum, times) => sum + times, 0);
}

function drainOf(temporal: TemporalClient, service: string) {
  return temporal.workflow.getHandle(`delivery:${computeShard(service, DELIVERY_SHARDS)}`);
}

function countEach(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
