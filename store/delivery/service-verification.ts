import { storeDate, storeNow } from '../cluster/clock.ts';
import { newReleaseMark } from './held-services.ts';
import { serviceModel } from './services.ts';
import type { ServiceDocument } from './services.ts';
import { findReceiver } from './service-health.ts';

/** How long somebody who verifies a service has, besides what the webhook takes. */
const MARGIN_MS = 10_000;

/** What a service is asked about: its url. */
export type VerificationTarget = Pick<ServiceDocument, '_id' | 'params'>;

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
