import { FIXED_TOUCHPOINTS } from '../../domain/conversations/touchpoint.ts';
import type { TouchpointCodes } from '../../domain/conversations/touchpoint.ts';
import type { EnvironmentReader } from './read.ts';
import { readTracing } from './tracing.ts';
import type { TracingConfig } from './tracing.ts';
import type { ValueOf } from './variables.ts';

/** What every process of the product needs to know, whatever it does. */
export interface ProductConfig {
  /** Base of every address handed out; no slash at its end. */
  publicUrl: string;
  temporalNamespace: string;
  /** The codes in the two bracketed places of spec 5.4. */
  touchpointCodes: TouchpointCodes;
  /** The bracketed values of `serviceType` (spec 6.1); the first is the default. */
  serviceProviders: string[];
  webhookTimeoutMs: number;
  /** Waits between attempts, before jitter. */
  webhookRetrySeconds: number[];
  /** CIDR networks that webhooks may reach although they are private. */
  webhookAllowedNetworks: string[];
  deliveryShards: number;
  /** How long this process may take to end what it has begun when it is told to end. */
  shutdownTimeoutMs: number;
  tracing: TracingConfig;
  logLevel: ValueOf<'LOG_LEVEL'>;
}

/** Reads what all processes have in common. */
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
