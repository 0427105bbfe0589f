import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeLease } from '../../store/cluster/leases.ts';
import { addService, queue, SHARDS, startDrain, findStatuses } from '../support/drain.ts';
import type { RunningDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

const EVENTS = 40;

const store = useStore();
let receiver: Receiver;
const drains: RunningDrain[] = [];
const processes: NodeProcess[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  receiver.behave((response) => void setTimeout(() => response.end(), 20));
});

afterEach(async () => {
  await Promise.all(processes.splice(0).map(({ kill }) => kill()));
  await Promise.all(drains.splice(0).map((drain) => drain.stop()));
  await receiver.close();
});

function drainHere(): RunningDrain {
  const drain = startDrain();
  drains.push(drain);
  return drain;
}

async function drainInProcess(): Promise<NodeProcess> {
  const started = startNode('--import=tsx', {
    args: ['test/deliveries/fixtures/drain-process.ts', store.uri],
  });
  processes.push(started);
  await eventually(() => started.output().includes('draining'));
  return started;
}

const arrivals = () =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);

async function expectAllInOrder(service: string): Promise<void> {
  await eventually(async () => (await findStatuses(service)).every((status) => status === 'delivered'));
  expect([...new Set(arrivals())]).toEqual(Array.from({ length: EVENTS }, (_, at) => at + 1));
}

describe('the shards of deliveries', () => {
  test('the shards of deliveries move to another worker when their worker is killed, without loss or reordering', async () => {
    const service = await addService(receiver.url);
    const first = await drainInProcess();
    await queue(service._id, { count: EVENTS });
    await eventually(() => receiver.received.length >= 10, { everyMs: 5 });
    await first.kill();
    const before = receiver.received.length;
    drainHere();
    await eventually(() => receiver.received.length > before + 1, { everyMs: 5 });
    await expectAllInOrder(service._id);
  });

  test('a worker that lost its leases leaves its shards of deliveries at once, so at most the attempt in progress is repeated', async () => {
    const service = await addService(receiver.url);
    const first = drainHere();
    await queue(service._id, { count: EVENTS });
    await eventually(() => receiver.received.length >= 10, { everyMs: 5 });
    drainHere();
    // The activities of the first drain end by themselves.
    await first.ended;
    await expectAllInOrder(service._id);
    expect(receiver.received.length).toBeLessThanOrEqual(EVENTS + 1);
  });

  test('a frozen worker that resumes does not touch the shards of deliveries that another worker has taken', async () => {
    const service = await addService(receiver.url);
    const first = await drainInProcess();
    await queue(service._id, { count: EVENTS });
    await eventually(() => receiver.received.length >= 10, { everyMs: 5 });
    process.kill(first.pid, 'SIGSTOP');
    const before = receiver.received.length;
    drainHere();
    await eventually(() => receiver.received.length > before + 5, { everyMs: 5 });
    process.kill(first.pid, 'SIGCONT');
    await expectAllInOrder(service._id);
    expect(receiver.received.length).toBeLessThanOrEqual(EVENTS + 1);
  });

  test('the shards of deliveries are not drained while their last worker may still be sending', async () => {
    const service = await addService(receiver.url);
    await queue(service._id, { count: EVENTS });
    for (let shard = 0; shard < SHARDS; shard++) await takeLease(`delivery:${shard}`, 'another', new Date());
    const startedAt = performance.now();
    drainHere();
    await eventually(() => receiver.received.length > 0, { everyMs: 5 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_990);
    await expectAllInOrder(service._id);
  });
});
