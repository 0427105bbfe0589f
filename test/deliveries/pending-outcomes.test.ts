import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAttemptWriter, recordAttempted } from '../../deliveries/attempt.ts';
import type { Attempted } from '../../deliveries/attempt.ts';
import { deliveryModel } from '../../store/delivery/deliveries.ts';
import { serviceModel } from '../../store/delivery/services.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import { addService, findDeliveries, queue, loadService, startDrain } from '../support/drain.ts';
import type { RunningDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

const A_MINUTE_MS = 60_000;

useStore();

let receiver: Receiver;
let failing: ServiceDocument;
let drain: RunningDrain | undefined;

beforeEach(async () => {
  receiver = await startReceiver();
  failing = await addService('http://127.0.0.1:9/');
  await addService(receiver.url, {
    organization: failing.organization,
    params: { url: receiver.url, events: ['service.error'] },
  });
});

afterEach(async () => {
  await drain?.stop();
  await receiver.close();
});

/** Writes the data of a worker that crashed a minute ago, right after it logged an attempt. */
async function loggedAndDied(outcome: Attempted['attempt'], next: Date | null = null): Promise<string> {
  const [row] = await queue(failing._id);
  if (!row) throw new Error('expected a row');
  const recorded = await recordAttempted(createAttemptWriter(), {
    delivery: { _id: row._id, tries: 0 },
    attempted: { attempt: outcome, next },
  });
  if (!recorded) throw new Error('expected the attempt to be logged');
  await deliveryModel.updateOne(
    { _id: row._id },
    { $set: { 'unjudged.loggedAt': new Date(Date.now() - A_MINUTE_MS) } },
  );
  return row._id;
}

function attempt(fields: Partial<Attempted['attempt']>): Attempted['attempt'] {
  return { at: new Date().toISOString(), durationMs: 3, outcome: 'rejected', ...fields };
}

async function untilJudged(): Promise<void> {
  await eventually(async () => (await deliveryModel.countDocuments({ unjudged: { $exists: true } })) === 0);
}

describe('a worker that crashes right after it logged an attempt', () => {
  test('when a worker crashes right after it logged the last attempt, the next drain of the shard publishes service.error for the given-up event', async () => {
    const delivery = await loggedAndDied(attempt({ status: 500 }));
    drain = startDrain();
    await eventually(() => receiver.received.length >= 1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      event: 'service.error',
      data: {
        service: { id: failing._id, status: 'active' },
        error: { delivery, outcome: 'rejected', status: 500 },
      },
    });
    await untilJudged();
    expect(await loadService(failing._id)).toMatchObject({ failedEvents: 1 });
  });

  test('a service whose receiver responds with 410 does not stay active if the worker crashes right after it logged the attempt', async () => {
    await loggedAndDied(attempt({ status: 410 }));
    const [waiting] = await queue(failing._id, { count: 1 });
    await deliveryModel.updateOne(
      { _id: waiting!._id },
      { $set: { dueAt: new Date(Date.now() + A_MINUTE_MS) } },
    );
    drain = startDrain();
    await eventually(async () => (await loadService(failing._id))?.status === 'disabled');
    await eventually(() => receiver.received.length >= 1);
    await untilJudged();
    expect((await findDeliveries(failing._id)).map(({ status }) => status).sort()).toEqual([
      'failed',
      'skipped',
    ]);
  });

  test('a service that was verified since an attempt is not disabled if the worker crashed right after it logged the attempt', async () => {
    await loggedAndDied(
      attempt({ outcome: 'private_address', reason: 'Not public.' }),
      new Date(Date.now() + A_MINUTE_MS),
    );
    await serviceModel.updateOne({ _id: failing._id }, { $set: { verifiedAt: new Date() } });
    drain = startDrain();
    await eventually(() => receiver.received.length >= 1);
    await untilJudged();
    expect((await loadService(failing._id))?.status).toBe('active');
    expect(JSON.parse(receiver.received[0]?.body ?? '').data.error.reason).toBe('Not public.');
  });

  test('service.error is published once even if the worker crashes after publishing', async () => {
    const delivery = await loggedAndDied(attempt({ status: 500 }));
    const before = await deliveryModel.findById(delivery).lean();
    drain = startDrain();
    await eventually(() => receiver.received.length >= 1);
    await untilJudged();
    await drain.stop();
    await deliveryModel.updateOne({ _id: delivery }, { $set: { unjudged: before?.unjudged } });
    drain = startDrain();
    await untilJudged();
    const told = await deliveryModel
      .find({ event: 'service.error', organization: failing.organization })
      .lean();
    expect(told.map(({ eventId }) => eventId)).toEqual([before?.unjudged?.eventId]);
  });
});
