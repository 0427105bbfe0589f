import { serviceModel, newReleaseMark } from './services.ts';
import type { ServiceDocument } from './services.ts';
import type { FailingService } from '../../domain/delivery/drain-report.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';

/** Does not check the reach. */
export async function findReceiver(id: string): Promise<ServiceDocument | null> {
  return serviceModel.findById(id).lean<ServiceDocument>();
}

/** The service at the time of an attempt. Updates are ignored if its url has changed. */
export type SentService = Pick<ServiceDocument, '_id' | 'params'>;

function sentFilter({ _id, params: { url } }: SentService) {
  return { _id, 'params.url': url ?? null };
}

export async function noteAnswers(sent: SentService, at: Date): Promise<void> {
  await serviceModel.updateOne(sentFilter(sent), {
    $set: { answeredAt: at },
    $unset: { failingSince: '', failedEvents: '' },
  });
}

/** Keeps an earlier `failingSince`. */
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
 * Sets `status` of an active service. Returns false if the service has another status or url, or an
 * admin has paused it.
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

/** Returns the services with an attempt since their last verification. */
export async function findCircuits(): Promise<Pick<ServiceDocument, '_id' | 'failingSince'>[]> {
  return serviceModel.collection
    .find(
      { $or: [{ failingSince: { $exists: true } }, { answeredAt: { $exists: true } }] },
      { projection: { failingSince: 1, answeredAt: 1 } },
    )
    .toArray();
}

/** Added to the webhook's timeout. */
const MARGIN_MS = 10_000;

/** Returns the deadline of a verification, after which a worker may take over. */
export function verificationEnd(timeoutMs: number): Date {
  return new Date(storeNow() + timeoutMs + MARGIN_MS);
}

/**
 * Stores the result, and `found` if the service is verified, unless the url changed or the service
 * was disabled. Returns the current service.
 */
export async function noteVerification(
  { _id, params: { url } }: SentService,
  refusal: string | null,
  found: Record<string, unknown> = {},
): Promise<ServiceDocument | null> {
  const now = storeDate();
  const end =
    refusal === null
      ? {
          $set: { status: 'active', verifiedAt: now, updatedAt: now, ...newReleaseMark(), ...found },
          $unset: { verifyBy: '', statusReason: '', failingSince: '', failedEvents: '', answeredAt: '' },
        }
      : { $set: { status: 'failed', statusReason: refusal, updatedAt: now }, $unset: { verifyBy: '' } };
  const noted = await serviceModel
    .findOneAndUpdate({ _id, 'params.url': url ?? null, status: { $ne: 'disabled' } }, end, {
      returnDocument: 'after',
    })
    .lean<ServiceDocument>();
  return noted ?? findReceiver(_id);
}

/** Claims, for `withinMs`, a verification whose deadline has passed. */
export async function claimVerification(withinMs: number): Promise<ServiceDocument | null> {
  return serviceModel
    .findOneAndUpdate(
      { verifyBy: { $lt: storeDate() } },
      { $set: { verifyBy: new Date(storeNow() + withinMs) } },
      { returnDocument: 'after' },
    )
    .lean<ServiceDocument>();
}

/** Adds no url, which may be secret. Leaves out deleted services. */
export async function describeFailing(failing: FailingService[]): Promise<FailingService[]> {
  if (failing.length === 0) return [];
  const found = await serviceModel
    .find(
      { _id: { $in: failing.map(({ service }) => service) } },
      { name: 1, status: 1, failingSince: 1, 'params.url': 1 },
    )
    .lean<ServiceDocument[]>();
  const services = new Map(found.map((service) => [service._id, service]));
  return failing.flatMap((one) => {
    const service = services.get(one.service);
    return service ? [{ ...one, ...toFailingService(service) }] : [];
  });
}

function toFailingService({ name, status, failingSince, params }: ServiceDocument): Partial<FailingService> {
  return {
    name,
    host: params.url !== undefined && URL.canParse(params.url) ? new URL(params.url).host : undefined,
    since: failingSince?.toISOString(),
    disabled: status === 'disabled' || undefined,
  };
}
