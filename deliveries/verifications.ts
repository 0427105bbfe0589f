import { claimVerification, noteVerification } from '../store/delivery/service-health.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import type { WebhookClient } from './http/client.ts';

/** Longer than a verification takes; after this somebody else does it. */
const CLAIMED_FOR_MS = 120_000;
const MAX_AT_ONCE = 20;

export interface VerificationDeps {
  webhooks: Pick<WebhookClient, 'verifyWebhook'>;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Verifies the services whose verification was begun by somebody who died over it: without that
 * they would be pending for ever.
 */
export interface Verifications {
  /** Does so now, unless it is under way. */
  finish(): void;
}

export function createVerifications(deps: VerificationDeps): Verifications {
  let underWay = false;
  return {
    finish() {
      if (underWay) return;
      underWay = true;
      void finishAll(deps)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'cannot verify webhooks'))
        .finally(() => (underWay = false));
    },
  };
}

async function finishAll({ webhooks }: VerificationDeps): Promise<void> {
  const left: ServiceDocument[] = [];
  while (left.length < MAX_AT_ONCE) {
    const service = await claimVerification(CLAIMED_FOR_MS);
    if (!service) break;
    left.push(service);
  }
  await Promise.all(
    left.map(async (service) => {
      const verification = await webhooks.verifyWebhook(service.params.url);
      await noteVerification(service, verification.verified ? null : verification.reason);
    }),
  );
}
