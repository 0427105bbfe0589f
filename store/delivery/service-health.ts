import { serviceModel, newReleaseMark } from './services.ts';
import type { ServiceDocument } from './services.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';

/** Returns the service regardless of reach, for delivery. */
export async function findReceiver(id: string): Promise<ServiceDocument | null> {
  return serviceModel.findById(id).lean<ServiceDocument>();
}

/**
 * A service as it was when a delivery was sent. Updates are ignored if its url has changed since.
 */
export type SentService = Pick<ServiceDocument, '_id' | 'params'>;

function sentFilter({ _id, params: { url } }: SentService) {
  return { _id, 'params.url': url };
}

/** Records that a service accepts deliveries, and ends its failure. */
export async function noteAnswers(sent: SentService, at: Date): Promise<void> {
  await serviceModel.updateOne(sentFilter(sent), {
    $set: { answeredAt: at },
    $unset: { failingSince: '', failedEvents: '' },
  });
}

/** Records when a service began to fail, unless it is failing already. */
export async function noteFailing(sent: SentService, since: Date): Promise<void> {
  await serviceModel.updateOne(
    { ...sentFilter(sent), failingSince: { $exists: false } },
    { $set: { failingSince: since } },
  );
}

/** Counts a failed delivery. Returns the service's failure, or no fields if its url changed. */
export async function noteGivenUp(
  sent: SentService,
): Promise<Pick<ServiceDocument, 'failingSince' | 'failedEvents'>> {
  const service = await serviceModel
    .findOneAndUpdate(sentFilter(sent), { $inc: { failedEvents: 1 } }, { returnDocument: 'after' })
    .lean<ServiceDocument>();
  return service ?? {};
}

/**
 * Makes an active service `failed` (until it is verified again) or `disabled`, with the reason for
 * its owner. Returns whether it now has this status.
 */
export async function disableService(
  sent: SentService,
  { status, reason, now }: { status: 'failed' | 'disabled'; reason: string; now: Date },
): Promise<boolean> {
  const { matchedCount } = await serviceModel.updateOne(
    { ...sentFilter(sent), $or: [{ status: 'active' }, { status, paused: { $exists: false } }] },
    { $set: { status, statusReason: reason, updatedAt: now } },
  );
  return matchedCount > 0;
}

/** Disables the services of a deleted bot, with the reason for their owners. */
export async function disableBotServices(bot: string, now: Date): Promise<void> {
  await serviceModel.updateMany(
    { user: bot },
    {
      $set: { status: 'disabled', statusReason: 'Its bot was deleted.', updatedAt: now },
      $unset: { paused: '', verifyBy: '' },
    },
  );
}

/**
 * State of a service's circuit breaker: whether it fails, or has accepted a delivery since its
 * verification.
 */
export type KnownCircuit = Pick<ServiceDocument, '_id' | 'failingSince' | 'answeredAt'>;

/** Returns the circuits of all services that have a state. */
export async function findCircuits(): Promise<KnownCircuit[]> {
  return serviceModel.collection
    .find<KnownCircuit>(
      { $or: [{ failingSince: { $exists: true } }, { answeredAt: { $exists: true } }] },
      { projection: { failingSince: 1, answeredAt: 1 } },
    )
    .toArray();
}

/** Added to the webhook's timeout for the deadline of a verification. */
const MARGIN_MS = 10_000;

type VerificationTarget = Pick<ServiceDocument, '_id' | 'params'>;

/**
 * Returns the deadline of a verification that starts now. After it another worker may take over.
 */
export function verificationEnd(timeoutMs: number): Date {
  return new Date(storeNow() + timeoutMs + MARGIN_MS);
}

/**
 * Records the result of a verification: active, or failed with the reason. Ignored if the url
 * changed or the service was disabled. Returns the current service, or null if it is deleted.
 */
export async function noteVerification(
  { _id, params: { url } }: VerificationTarget,
  refusal: string | null,
): Promise<ServiceDocument | null> {
  const now = storeDate();
  const end =
    refusal === null
      ? {
          $set: { status: 'active', verifiedAt: now, updatedAt: now, ...newReleaseMark() },
          $unset: { ...NO_LONGER, statusReason: '', failingSince: '', failedEvents: '', answeredAt: '' },
        }
      : { $set: { status: 'failed', statusReason: refusal, updatedAt: now }, $unset: NO_LONGER };
  const noted = await serviceModel
    .findOneAndUpdate({ _id, 'params.url': url, status: { $ne: 'disabled' } }, end, {
      returnDocument: 'after',
    })
    .lean<ServiceDocument>();
  return noted ?? findReceiver(_id);
}

const NO_LONGER = { verifyBy: '' } as const;

/**
 * Claims a verification whose deadline has passed. The caller has `withinMs` to finish it. Returns
 * null if no verification is overdue.
 */
export async function claimVerification(withinMs: number): Promise<ServiceDocument | null> {
  return serviceModel
    .findOneAndUpdate(
      { verifyBy: { $lt: storeDate() } },
      { $set: { verifyBy: new Date(storeNow() + withinMs) } },
      { returnDocument: 'after' },
    )
    .lean<ServiceDocument>();
}
