import { resolve } from 'node:path';
import { readBootstrapAdmin } from './load.ts';
import type { BootstrapAdmin } from './load.ts';
import { readProduct } from './product.ts';
import type { ProductConfig } from './product.ts';
import { readEnvironment } from './read.ts';
import type { Environment } from './read.ts';
import { readTemporal } from './temporal.ts';
import type { TemporalConfig } from './temporal.ts';

export interface ApiConfig extends ProductConfig, TemporalConfig {
  host: string;
  port: number;
  mongodbUri: string;
  temporalUiUrl: string | undefined;
  echoBot: boolean;
  /** Absolute path. `npm start` keeps its files there; otherwise the folder may be missing. */
  dataDir: string;
  authSecret: string;
  bootstrapAdmin: BootstrapAdmin;
  /** Per client address and per API key; 0 = no limit. */
  rateLimitPerSecond: number;
  trustedProxies: number;
  /** Time to keep accepting requests after SIGTERM. */
  shutdownDelayMs: number;
}

/**
 * Reads the configuration of an API process, frozen. Throws ConfigurationError with every invalid
 * variable.
 */
export function readApiConfig(env: Environment): Readonly<ApiConfig> {
  const reader = readEnvironment(env);
  return reader.finish({
    ...readProduct(reader),
    host: reader.value('HOST'),
    port: reader.value('PORT'),
    mongodbUri: reader.required('MONGODB_URI'),
    ...readTemporal(reader),
    temporalUiUrl: reader.value('TEMPORAL_UI_URL'),
    echoBot: reader.value('ECHO_BOT') === 'true',
    dataDir: resolve(reader.value('DATA_DIR')),
    authSecret: reader.required('AUTH_SECRET'),
    bootstrapAdmin: readBootstrapAdmin(reader),
    rateLimitPerSecond: reader.value('RATE_LIMIT_PER_SECOND'),
    trustedProxies: reader.value('TRUSTED_PROXIES'),
    shutdownDelayMs: reader.value('SHUTDOWN_DELAY_MS'),
  });
}
