import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { computeShard } from '../../domain/delivery/delivery.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { DELIVERY_WORKFLOW, PING_QUERY } from '../../workflows/contract.ts';
import { addService, createTestDrain, queue, SHARDS, findStatuses } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';

const taskQueue = randomUUID();
let connection: NativeConnection;
let client: Client;
let receiver: Receiver;
const workers: { worker: Worker; ended: Promise<void> }[] = [];

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const address = inject('temporalAddress');
  connection = await NativeConnection.connect({ address });
  client = new Client({ connection: await Connection.connect({ address }) });
  await connectStore(inject('mongodbUri'), { database: `delivery-${randomUUID()}` });
  await ensureIndexes();
});

afterAll(async () => {
  await client.connection.close();
  await connection.close();
  await disconnectStore();
});

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map(shutDown));
  await receiver.close();
});

async function startWorker() {
  const { activities } = createTestDrain({ retrySeconds: [3600] });
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('../../workflows/delivery.ts', import.meta.url)),
    activities,
    shutdownGraceTime: 0,
    // Without it, a step of a workflow fails after five seconds, also if the machine pauses.
    debugMode: true,
  });
  const started = { worker, ended: worker.run() };
  workers.push(started);
  return started;
}

async function shutDown({ worker, ended }: Awaited<ReturnType<typeof startWorker>>): Promise<void> {
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await ended;
}

async function startShard(shard: number) {
  return client.workflow.start(DELIVERY_WORKFLOW, {
    workflowId: `delivery-test:${randomUUID()}`,
    taskQueue,
    args: [{ shard }],
    workflowExecutionTimeout: '2m',
  });
}

describe('the delivery workflow', () => {
  test('a delivery workflow sends the deliveries of its shard, and continues on another worker after the shutdown of the first', async () => {
    const service = await addService(receiver.url);
    const first = await startWorker();
    const handle = await startShard(computeShard(service._id, SHARDS));
    await queue(service._id, { count: 2 });
    await eventually(async () => (await findStatuses(service._id)).every((status) => status === 'delivered'));
    expect(await handle.query(PING_QUERY)).toBe(true);
    await shutDown(first);
    await startWorker();
    await queue(service._id);
    await eventually(() => receiver.received.length >= 3);
    await handle.terminate();
  });

  test('a delivery workflow shows operators the pending deliveries and the failures of each service, without secrets', async () => {
    receiver.behave(respondWith(503, 'a secret of the receiver'));
    const url = receiver.url.replace('://', '://user:password@').concat('/secret-path?token=x');
    const service = await addService(url, { name: 'CRM' });
    await queue(service._id, { count: 2 });
    await startWorker();
    const handle = await startShard(computeShard(service._id, SHARDS));
    const details = await eventually(async () => {
      const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return metadata.currentDetails?.includes(service._id) && metadata.currentDetails;
    });
    expect(details).toContain('| Pending | 2 |');
    expect(details).toMatch(/^\*\*Needs attention\*\*/);
    expect(details).toMatch(
      /- CRM \(127\.0\.0\.1:\d+\): attempt 1 rejected with 503 at \S+Z; next try: \S+Z/,
    );
    expect(details).toContain(`curl -X POST "$API/services/${service._id}/replay"`);
    const history = await handle.fetchHistory();
    const signals = history.events?.flatMap(
      ({ workflowExecutionSignaledEventAttributes }) =>
        workflowExecutionSignaledEventAttributes?.input?.payloads?.map(({ data }) =>
          Buffer.from(data!).toString(),
        ) ?? [],
    );
    expect(signals?.join()).toContain('CRM');
    for (const secret of ['a secret of the receiver', 'password', 'secret-path', 'token=x']) {
      expect(details + String(signals), secret).not.toContain(secret);
    }
    await handle.terminate();
  });
});
