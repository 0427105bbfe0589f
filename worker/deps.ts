import type { Logger } from 'pino';
import { createDeliveryNotices } from '../activities/deliveries/notices.ts';
import type { ActivityDeps } from '../activities/index.ts';
import { productVersion } from '../config/version.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { createWebhookClient } from '../webhooks/client.ts';

/** What the activities of this process share: one webhook client, and notices from those who store deliveries to those who send them. */
export function createActivityDeps(
  config: WorkerConfig,
  { identity, log }: { identity: string; log: Logger },
): ActivityDeps {
  const deliveryNotices = createDeliveryNotices();
  return {
    identity,
    log,
    publicUrl: config.publicUrl,
    deliveryShards: config.deliveryShards,
    deliveryNotices,
    notifyDeliveries: (rows) => deliveryNotices.notify(rows),
    webhookRetrySeconds: config.webhookRetrySeconds,
    webhooks: createWebhookClient({
      timeoutMs: config.webhookTimeoutMs,
      allowedNetworks: config.webhookAllowedNetworks,
      version: productVersion(),
    }),
  };
}
