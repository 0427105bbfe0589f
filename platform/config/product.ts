import { FIXED_TOUCHPOINTS } from '../../domain/conversations/touchpoint.ts';
import type { TouchpointCodes } from '../../domain/conversations/touchpoint.ts';
import type { EnvironmentReader } from './read.ts';
import { readTracing } from './tracing.ts';
import type { TracingConfig } from './tracing.ts';
import type { ValueOf } from './variables.ts';

export interface ProductConfig {
  /** Base of every public address, without trailing slash. */
  publicUrl: string;
  temporalNamespace: string;
  /** The two configurable codes of spec 5.4. */
  touchpointCodes: TouchpointCodes;
  /** The configurable values of `serviceType` (spec 6.1); the first is the default. */
  serviceProviders: string[];
  webhookTimeoutMs: number;
  /** Waits between attempts, before jitter. */
  webhookRetrySeconds: number[];
  webhookAllowedNetworks: string[];
  deliveryShards: number;
  shutdownTimeoutMs: number;
  tracing: TracingConfig;
  logLevel: ValueOf<'LOG_LEVEL'>;
}

export function readProduct(reader: EnvironmentReader): ProductConfig {
  return {
    publicUrl: reader.value('PUBLIC_URL') ?? `http://localhost:${reader.value('PORT')}`,
    temporalNamespace: reader.value('TEMPORAL_NAMESPACE'),
    touchpointCodes: readTouchpointCodes(reader),
    serviceProviders: reader.value('SERVICE_PROVIDERS'),
    webhookTimeoutMs: reader.value('WEBHOOK_TIMEOUT_MS'),
    webhookRetrySeconds: reader.value('WEBHOOK_RETRY_SECONDS'),
    webhookAllowedNetworks: reader.value('WEBHOOK_ALLOWED_NETWORKS') ?? [],
    deliveryShards: reader.value('DELIVERY_SHARDS'),
    shutdownTimeoutMs: reader.value('SHUTDOWN_TIMEOUT_MS'),
    tracing: readTracing(reader),
    logLevel: reader.value('LOG_LEVEL'),
  };
}

function readTouchpointCodes(reader: EnvironmentReader): ProductConfig['touchpointCodes'] {
  const codes = {
    socialMessenger: reader.value('TOUCHPOINT_SOCIAL_MESSENGER'),
    chatApp: reader.value('TOUCHPOINT_CHAT_APP'),
  };
  const all = [...FIXED_TOUCHPOINTS, codes.socialMessenger, codes.chatApp];
  if (new Set(all).size < all.length) {
    reader.complain(
      `TOUCHPOINT_SOCIAL_MESSENGER and TOUCHPOINT_CHAT_APP must differ from each other and from ${FIXED_TOUCHPOINTS.join(', ')}`,
    );
  }
  return codes;
}
