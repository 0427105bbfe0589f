import { serviceModel, newReleaseMark } from './services.ts';
import type { ServiceDocument } from './services.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';

/** The service, whoever it belongs to; null if it is gone. For those that deliver to it. */
export async function findReceiver(id: string): Promise<ServiceDocument | null> {
  return serviceModel.findById(id).lean<ServiceDocument>();
}

/**
 * A service as it was when it was sent to. What is noted of that does not touch one that has
 * another url since then.
 */
export type SentService = Pick<ServiceDocument, '_id' | 'params'>;

function sentFilter({ _id, params: { url } }: SentService) {
  return { _id, 'params.url': url };
}

/** Notes that a service answers, again or for the first time. */
export async function noteAnswers(sent: SentService, at: Date): Promise<void> {
  await serviceModel.updateOne(sentFilter(sent), {
    $set: { answeredAt: at },
    $unset: { failingSince: '', failedEvents: '' },
  });
}

/** Notes since when a service fails, unless it did already. */
export async function noteFailing(sent: SentService, since: Date): Promise<void> {
  await serviceModel.updateOne(
    { ...sentFilter(sent), failingSince: { $exists: false } },
    { $set: { failingSince: since } },
  );
}

/** Counts a delivery that was given up; answers how the service stands then. */
export async function noteGivenUp(
  sent: SentService,
): Promise<Pick<ServiceDocument, 'failingSince' | 'failedEvents'>> {
  const service = await serviceModel
    .findOneAndUpdate(sentFilter(sent), { $inc: { failedEvents: 1 } }, { returnDocument: 'after' })
    .lean<ServiceDocument>();
  return service ?? {};
}

/**
 * Takes an active service out of use, with the reason for its owner: `failed` until it is verified
 * again, or disabled. Answers whether it is.
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

/**
 * Disables the services of a bot that is gone, with the reason for their owners. What waits for
 * them is given up.
 */
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
 * How a service stands with those who deliver to it: whether it fails, or has answered since it was
 * verified.
 */
export type KnownCircuit = Pick<ServiceDocument, '_id' | 'failingSince' | 'answeredAt'>;

/** How all services stand of which anything is known. */
export async function findCircuits(): Promise<KnownCircuit[]> {
  return serviceModel.collection
    .find<KnownCircuit>(
      { $or: [{ failingSince: { $exists: true } }, { answeredAt: { $exists: true } }] },
      { projection: { failingSince: 1, answeredAt: 1 } },
    )
    .toArray();
}

/** How long somebody who verifies a service has, besides what the webhook takes. */
const MARGIN_MS = 10_000;

/** What a service is asked about: its url. */
type VerificationTarget = Pick<ServiceDocument, '_id' | 'params'>;

/**
 * By when a verification that begins now has ended; somebody else does it where that time has
 * passed.
 */
export function verificationEnd(timeoutMs: number): Date {
  return new Date(storeNow() + timeoutMs + MARGIN_MS);
}

/**
 * Notes what became of a verification: active, or failed with the reason. Nothing is noted of a
 * service that has got another url or was disabled meanwhile. Answers it as it is then; null: it is
 * gone.
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
 * A service whose verification nobody has brought to its end, to be verified within `withinMs` by
 * who asks; null: there is none.
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
