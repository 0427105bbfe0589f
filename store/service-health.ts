import { serviceModel } from './services.ts';
import type { ServiceDocument } from './services.ts';

/** The service, whoever it belongs to; null if it is gone. For those that deliver to it. */
export async function findReceiver(id: string): Promise<ServiceDocument | null> {
  return serviceModel.findById(id).lean<ServiceDocument>();
}

/** Notes that a service answers again. */
export async function noteRecovered(id: string): Promise<void> {
  await serviceModel.updateOne({ _id: id }, { $unset: { failingSince: '', failedEvents: '' } });
}

/** Notes since when a service fails, unless it did already. */
export async function noteFailing(id: string, since: Date): Promise<void> {
  await serviceModel.updateOne(
    { _id: id, failingSince: { $exists: false } },
    { $set: { failingSince: since } },
  );
}

/** Counts a delivery that was given up; answers how the service stands then. */
export async function noteGivenUp(
  id: string,
): Promise<Pick<ServiceDocument, 'failingSince' | 'failedEvents'>> {
  const service = await serviceModel
    .findOneAndUpdate({ _id: id }, { $inc: { failedEvents: 1 } }, { returnDocument: 'after' })
    .lean<ServiceDocument>();
  return service ?? {};
}

/** Takes a service out of use until it is verified again, with the reason for its owner. */
export async function failService(id: string, reason: string, now: Date): Promise<void> {
  await serviceModel.updateOne(
    { _id: id, status: 'active' },
    { $set: { status: 'failed', statusReason: reason, updatedAt: now } },
  );
}

/** Disables an active service, with the reason for its owner. */
export async function disableService(id: string, reason: string, now: Date): Promise<void> {
  await serviceModel.updateOne(
    { _id: id, status: 'active' },
    { $set: { status: 'disabled', statusReason: reason, updatedAt: now } },
  );
}
