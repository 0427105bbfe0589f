import { createDeliveryNotifications } from '../deliveries/notifications.ts';
import type { ActivityDeps } from '../activities/index.ts';
import { createAuthority } from '../application/auth/authority.ts';
import { createSlugEncryption } from '../application/posting/slug-seal.ts';
import { productVersion } from '../platform/config/version.ts';
import type { WorkerConfig } from '../platform/config/worker.ts';
import type { Conversations } from '../workflows/client/conversations.ts';
import { tracedConversations } from '../workflows/client/traced-conversations.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { createExpressionPool } from '../application/expressions/pool.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';
import { createWebhookClient } from '../deliveries/http/client.ts';
import { tracedWebhooks } from '../deliveries/http/traced-client.ts';
import { attemptGraceMs } from './shutdown.ts';

interface Shared extends Pick<ActivityDeps, 'identity' | 'log' | 'eraseHistories' | 'searchAttributes'> {
  conversations: Conversations;
  tracer: Tracer | undefined;
}

/**
 * What the activities of this process share: one webhook client, and notices from those who store
 * deliveries to those who send them.
 */
export function createActivityDeps(
  config: WorkerConfig,
  { identity, log, conversations, eraseHistories, tracer, searchAttributes }: Shared,
): ActivityDeps {
  const deliveryNotices = createDeliveryNotifications();
  return {
    identity,
    log,
    eraseHistories,
    searchAttributes,
    authority: createAuthority(config.authSecret),
    slugs: createSlugEncryption(config.authSecret),
    posting: { config, conversations: tracedConversations(tracer, conversations) },
    expressions: createExpressionPool({ log }),
    publicUrl: config.publicUrl,
    deliveryShards: config.deliveryShards,
    deliveryNotices,
    attemptGraceMs: attemptGraceMs(config),
    notifyDeliveries: deliveryNotices.notify,
    webhookRetrySeconds: config.webhookRetrySeconds,
    webhooks: tracedWebhooks(
      tracer,
      createWebhookClient({
        timeoutMs: config.webhookTimeoutMs,
        allowedNetworks: config.webhookAllowedNetworks,
        version: productVersion(),
        now: storeNow,
      }),
    ),
  };
}
