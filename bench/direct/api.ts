import { pino } from 'pino';
import type * as ActivitiesModule from '../../activities/conversation.ts';
import type * as AppModule from '../../api/app.ts';
import type * as DoorModule from '../../api/limits/door.ts';
import type * as LimitModule from '../../api/limits/limit.ts';
import type * as ListsModule from '../../api/limits/lists.ts';
import type * as StreamsModule from '../../api/streams/streams.ts';
import type * as AuthorityModule from '../../auth/authority.ts';
import type * as ApiConfigModule from '../../config/api.ts';
import type * as LoadModule from '../../config/load.ts';
import type * as WebhooksModule from '../../deliveries/http/client.ts';
import type * as ErrorsModule from '../../domain/errors.ts';
import type * as PoolModule from '../../expressions/pool.ts';
import type * as StoreModule from '../../store/connection/connect.ts';
import type * as NamesModule from '../../store/conversations/names.ts';
import type * as SlugSealModule from '../../posting/slug-seal.ts';
import type * as TemporalModule from '../../temporal/connect.ts';
import { directConversations } from './conversations.ts';

/**
 * An API process as `dist/api/main.js`, but for plain posts, which it decides and stores itself
 * (docs/decisions/deciding-without-a-task.md). Everything but that is what was built: the pages
 * that the API serves are there.
 */
const { loadConfig } = await built<typeof LoadModule>('config/load');
const { readApiConfig } = await built<typeof ApiConfigModule>('config/api');
const config = loadConfig(readApiConfig);
const log = pino({ level: config.logLevel, name: 'direct-api' });

const { connectStore } = await built<typeof StoreModule>('store/connection/connect');
await connectStore(config.mongodbUri);
const { workflowSummaries } = await built<typeof NamesModule>('store/conversations/names');
const { createSlugSeal } = await built<typeof SlugSealModule>('posting/slug-seal');
const slugs = createSlugSeal(config.authSecret);
const { connectTemporal } = await built<typeof TemporalModule>('temporal/connect');
const temporal = await connectTemporal(config, { summaries: workflowSummaries, sealSlug: slugs.close });

const { createApp } = await built<typeof AppModule>('api/app');
const { beginLimit } = await built<typeof LimitModule>('api/limits/limit');
const limit = await beginLimit(config.rateLimitPerSecond, log);
createApp(await apiWith(await plainPosts()), { limit }).listen(config.port, config.host);

function built<Module>(name: string): Promise<Module> {
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href) as Promise<Module>;
}

async function plainPosts() {
  const { createConversationActivities } = await built<typeof ActivitiesModule>('activities/conversation');
  const { DomainError } = await built<typeof ErrorsModule>('domain/errors');
  return directConversations({
    workflows: temporal.conversations,
    activities: createConversationActivities({
      publicUrl: config.publicUrl,
      deliveryShards: 1,
      // Deliveries wait for a look of the worker's drain.
      notifyDeliveries: () => undefined,
      searchAttributes: [],
      slugs,
    }),
    refusal: ({ code, message, ...extras }) => new DomainError(code, message, extras),
  });
}

async function apiWith(conversations: ReturnType<typeof directConversations>) {
  const { createDoor } = await built<typeof DoorModule>('api/limits/door');
  const { createLists } = await built<typeof ListsModule>('api/limits/lists');
  const { createStreams } = await built<typeof StreamsModule>('api/streams/streams');
  const { createAuthority } = await built<typeof AuthorityModule>('auth/authority');
  const { createWebhookClient } = await built<typeof WebhooksModule>('deliveries/http/client');
  const { createExpressionPool } = await built<typeof PoolModule>('expressions/pool');
  const { webhookTimeoutMs: timeoutMs, webhookAllowedNetworks: allowedNetworks } = config;
  return {
    ...{ config, temporal, log, posting: { config, conversations } },
    authority: createAuthority(config.authSecret),
    webhooks: createWebhookClient({ timeoutMs, allowedNetworks, version: 'bench', now: Date.now }),
    streams: createStreams(log),
    expressions: createExpressionPool({ log }),
    doors: { events: createDoor(), expressions: createDoor() },
    lists: createLists(),
    ending: new AbortController().signal,
  };
}
