import { serviceModel, newReleaseMark } from './services.ts';
import type { ServiceDocument } from './services.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';

/** Does not check the reach. */
export async function findReceiver(id: string): Promise<ServiceDocument | null> {
  return serviceModel.findById(id).lean<ServiceDocument>();
}

/** The service when a delivery was sent. Updates are ignored if its url has changed since. */
export type SentService = Pick<ServiceDocument, '_id' | 'params'>;

function sentFilter({ _id, params: { url } }: SentService) {
  return { _id, 'params.url': url };
}

export async function noteAnswers(sent: SentService, at: Date): Promise<void> {
  await serviceModel.updateOne(sentFilter(sent), {
    $set: { answeredAt: at },
    $unset: { failingSince: '', failedEvents: '' },
  });
}

/** Keeps an earlier time. */
export async function noteFailing(sent: SentService, since: Date): Promise<void> {
  await serviceModel.updateOne(
    { ...sentFilter(sent), failingSince: { $exists: false } },
    { $set: { failingSince: since } },
  );
}

/** Returns no fields if the url changed. */
export async function noteGivenUp(
  sent: SentService,
): Promise<Pick<ServiceDocument, 'failingSince' | 'failedEvents'>> {
  const service = await serviceModel
    .findOneAndUpdate(sentFilter(sent), { $inc: { failedEvents: 1 } }, { returnDocument: 'after' })
    .lean<ServiceDocument>();
  return service ?? {};
}

/**
 * Disables an active service. Status `failed` lasts until the next verification. Returns whether
 * the service now has this status.
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

export async function disableBotServices(bot: string, now: Date): Promise<void> {
  await serviceModel.updateMany(
    { user: bot },
    {
      $set: { status: 'disabled', statusReason: 'Its bot was deleted.', updatedAt: now },
      $unset: { paused: '', verifyBy: '' },
    },
  );
}

/** State of a circuit breaker. `answeredAt` is the first accepted delivery after a verification. */
export type KnownCircuit = Pick<ServiceDocument, '_id' | 'failingSince' | 'answeredAt'>;

export async function findCircuits(): Promise<KnownCircuit[]> {
  return serviceModel.collection
    .find<KnownCircuit>(
      { $or: [{ failingSince: { $exists: true } }, { answeredAt: { $exists: true } }] },
      { projection: { failingSince: 1, answeredAt: 1 } },
    )
    .toArray();
}

/** Added to the webhook's timeout. */
const MARGIN_MS = 10_000;

type VerificationTarget = Pick<ServiceDocument, '_id' | 'params'>;

/**
 * Returns the deadline of a verification that starts now. After it another worker may take over.
 */
export function verificationEnd(timeoutMs: number): Date {
  return new Date(storeNow() + timeoutMs + MARGIN_MS);
}

/** Does nothing if the url changed or the service was disabled. Returns the current service. */
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

/** Claims a verification whose deadline has passed, for `withinMs`. */
export async function claimVerification(withinMs: number): Promise<ServiceDocument | null> {
  return serviceModel
    .findOneAndUpdate(
      { verifyBy: { $lt: storeDate() } },
      { $set: { verifyBy: new Date(storeNow() + withinMs) } },
      { returnDocument: 'after' },
    )
    .lean<ServiceDocument>();
}
