import { reportReceipt } from '../application/channels/report-receipt.ts';
import type { ReceiptDeps } from '../application/channels/report-receipt.ts';
import { isSendable } from '../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../domain/delivery/delivery.ts';
import {
  assessAttempt,
  isGivenUp,
  isPublished,
  isReceiving,
  reasonToDisable,
} from '../domain/delivery/service-health.ts';
import { toEventSnapshot } from '../domain/events/envelope.ts';
import type { Envelope } from '../domain/events/envelope.ts';
import { parseOrNull } from '../domain/json.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { noteOutcomeApplied } from '../store/delivery/attempts.ts';
import type { PendingOutcome } from '../store/delivery/attempts.ts';
import type { PendingAttempt } from '../store/delivery/deliveries.ts';
import { publish } from '../store/delivery/publish.ts';
import { findCarriedDeliveries, skipDeliveries, skipService } from '../store/delivery/queue.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import {
  disableService,
  findReceiver,
  noteAnswers,
  noteFailing,
  noteGivenUp,
} from '../store/delivery/service-health.ts';
import { SUBSCRIBER_CACHE_MS, isSendableTo } from '../store/delivery/services.ts';
import type { SendableService, ServiceDocument } from '../store/delivery/services.ts';
import { ttlCache } from '../store/queries/ttl-cache.ts';
import type { Attempted } from './attempt.ts';

export interface ServiceHealthDeps extends ReceiptDeps {
  notifyDeliveries: (rows: readonly DeliveryRow[]) => void;
}

export interface LoggedAttempt {
  service: ServiceDocument;
  delivery: Pick<QueuedDelivery, '_id' | 'event'>;
  attempted: Attempted;
  /** Set if `service.error` must be published. */
  unjudged?: PendingAttempt;
}

/** `status`: set if the attempt makes the service inactive. */
interface PublishedOutcome {
  status?: 'failed' | 'disabled';
  reason: string;
}

export class ServiceHealth {
  readonly #deps: ServiceHealthDeps;
  readonly #services = ttlCache({ maxAgeMs: SUBSCRIBER_CACHE_MS, max: 5_000, load: findReceiver });

  constructor(deps: ServiceHealthDeps) {
    this.#deps = deps;
  }

  forget(service: string): void {
    this.#services.forget(service);
  }

  /** Returns null if the channel is paused or removed. Failures to send do not matter. */
  async findReceiving(id: string): Promise<ServiceDocument | null> {
    const service = await this.#services.get(id);
    if (!service) await this.#skip(id, null);
    return service && isReceiving(service) ? service : null;
  }

  /**
   * Returns null if the service is not active, or has no address. Skips the deliveries of a
   * service that was removed, or disabled by the product.
   */
  async findUsable(id: string): Promise<SendableService | null> {
    const known = await this.#services.get(id);
    if (isSendableTo(known)) return known;
    // The cached service may predate its latest verification.
    this.forget(id);
    const service = await this.#services.get(id);
    if (isSendableTo(service)) return service;
    if (isGivenUp(service)) await this.#skip(id, service);
    return null;
  }

  /** The messages that a channel carries fail. Posts of a disabled channel stay pending. */
  async #skip(id: string, service: ServiceDocument | null): Promise<void> {
    const code = service ? 'service_disabled' : 'service_deleted';
    for (;;) {
      const carried = await findCarriedDeliveries(id, MAX_SKIPPED);
      for (const { body = '' } of carried) await this.#fail(id, body, code);
      if (carried.length === 0) break;
      await skipDeliveries(
        carried.map(({ _id }) => _id),
        storeDate(),
      );
    }
    await skipService(id, { withPosts: !service, now: storeDate() });
  }

  async #fail(service: string, body: string, code: keyof typeof SKIPPED): Promise<void> {
    const { data } = (parseOrNull(body) ?? { data: {} }) as Pick<Envelope, 'data'>;
    const message = data['message'] as { id: string } | undefined;
    if (!message) return;
    const at = storeDate().toISOString();
    const receipt = { status: 'failed', at, error: { code, message: SKIPPED[code] } } as const;
    const { rows } = await reportReceipt(this.#deps, { message: message.id, service, receipt });
    this.#deps.notifyDeliveries(rows.filter(isSendable));
  }

  /**
   * Updates the service, and publishes `service.error` if `unjudged` is set. Returns false if the
   * attempt made the service inactive. A repetition publishes no second event: the id is stable.
   */
  async applyOutcome(logged: LoggedAttempt): Promise<boolean> {
    const { service, delivery, attempted, unjudged } = logged;
    const outcome = await recordOutcome(service, attempted, unjudged?.loggedAt);
    if (outcome?.status) this.forget(service._id);
    if (outcome?.status === 'disabled') await this.#skip(service._id, service);
    if (outcome && unjudged) {
      await this.#publishServiceError(logged, unjudged, outcome);
      await noteOutcomeApplied(delivery._id, unjudged);
    }
    return outcome?.status === undefined;
  }

  /** Applies an outcome that a crash or an outage left pending (spec 7). */
  async applyPending(delivery: PendingOutcome): Promise<void> {
    const { attempts, unjudged } = delivery;
    const found = attempts.find(({ at }) => at.getTime() === unjudged.attemptAt.getTime());
    const service = found && (await findReceiver(delivery.service));
    if (!service) {
      await noteOutcomeApplied(delivery._id, unjudged);
      return;
    }
    const attempt = { ...found, at: found.at.toISOString() };
    // No further attempt is needed: an outcome is pending only for final attempts and attempts that
    // make the service inactive.
    await this.applyOutcome({ service, delivery, attempted: { attempt, next: null }, unjudged });
  }

  /**
   * Publishes nothing for a delivery of `service.error`: two failing services would keep each other
   * busy.
   */
  async #publishServiceError(
    { service, delivery, attempted }: LoggedAttempt,
    { eventId, loggedAt }: PendingAttempt,
    { status, reason }: PublishedOutcome,
  ): Promise<void> {
    if (delivery.event === SERVICE_ERROR) return;
    const { outcome, status: responseStatus, at } = attempted.attempt;
    const after = status ? { ...service, status, statusReason: reason } : service;
    const rows = await publish(
      {
        id: eventId,
        name: SERVICE_ERROR,
        timestamp: loggedAt.toISOString(),
        organization: service.organization,
        actor: { id: service._id, kind: 'service' },
        data: {
          service: presentService(after),
          error: {
            reason,
            delivery: delivery._id,
            event: delivery.event,
            outcome,
            at,
            status: responseStatus,
          },
        },
        except: service._id,
      },
      this.#deps,
    );
    this.#deps.notifyDeliveries(rows.filter(isSendable));
  }
}

const MAX_SKIPPED = 100;
/** Why a message fails without an attempt, by code (spec 15.5). */
const SKIPPED = {
  service_deleted: 'The channel was deleted.',
  service_disabled: 'The channel is disabled.',
};

const SERVICE_ERROR = 'service.error';

function presentService(service: ServiceDocument): Record<string, unknown> {
  const { _id: id, organization, name, type, user, params, status, statusReason } = service;
  const { failingSince, verifiedAt } = service;
  return toEventSnapshot('service', {
    ...{ id, organization, name, type, params, status, user, statusReason },
    verifiedAt: verifiedAt?.toISOString(),
    failingSince: failingSince?.toISOString(),
  });
}

// Updates the cached service, too, so that a change of health is written only once.
async function recordOutcome(
  service: ServiceDocument,
  { attempt, next }: Attempted,
  loggedAt: Date | undefined,
): Promise<PublishedOutcome | null> {
  const { verifiedAt } = service;
  const now = storeDate();
  const verdict = assessAttempt(attempt, next === null);
  if (verdict.is === 'answering') {
    if (service.failingSince || !service.answeredAt) await noteAnswers(service, now);
    delete service.failingSince;
    service.answeredAt ??= now;
    return null;
  }
  if (verdict.is === 'unaffected') return null;
  // An attempt before the latest verification must not disable the service.
  if (loggedAt && verifiedAt && verifiedAt > loggedAt && isPublished(verdict)) {
    return { reason: verdict.reason };
  }
  if (!service.failingSince) await noteFailing(service, now);
  service.failingSince ??= now;
  if (verdict.is === 'out of use') return disableWithReason(service, verdict, now);
  if (verdict.is === 'failing') return null;
  const reason = reasonToDisable(await noteGivenUp(service), now);
  return reason === null
    ? { reason: verdict.reason }
    : disableWithReason(service, { status: 'disabled', reason }, now);
}

// Leaves the service unchanged if its url or status has changed since the attempt.
async function disableWithReason(
  service: ServiceDocument,
  { status, reason }: Required<PublishedOutcome>,
  now: Date,
): Promise<PublishedOutcome> {
  if (!(await disableService(service, { status, reason, now }))) return { reason };
  return { status, reason };
}
