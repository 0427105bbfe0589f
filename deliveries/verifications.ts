import { claimVerification, noteVerification } from '../store/delivery/service-health.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import type { WebhookClient } from './http/client.ts';

/** Lease of a verification, longer than it takes. After it another worker may take over. */
const CLAIMED_FOR_MS = 120_000;
const MAX_AT_ONCE = 20;

export interface VerificationDeps {
  webhooks: Pick<WebhookClient, 'verifyWebhook'>;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Completes verifications whose worker crashed. Without it those services would stay pending
 * forever.
 */
export interface Verifications {
  finish(): void;
}

export function createVerifications(deps: VerificationDeps): Verifications {
  let underWay = false;
  return {
    finish() {
      if (underWay) return;
      underWay = true;
      void finishAll(deps)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'failed to verify webhooks'))
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
