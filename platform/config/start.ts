import { resolve } from 'node:path';
import { readBootstrapAdmin } from './load.ts';
import type { BootstrapAdmin } from './load.ts';
import { readProduct } from './product.ts';
import { readEnvironment } from './read.ts';
import type { Environment } from './read.ts';
import { readTemporalSecurity } from './temporal.ts';
import type { TemporalConfig } from './temporal.ts';

/** What `npm start` runs with. Where an address is absent, it brings that server itself. */
export interface StartConfig {
  host: string;
  port: number;
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  mongodbUri?: string;
  /** Where the Temporal server is that somebody else runs. */
  temporal?: TemporalConfig;
  temporalNamespace: string;
  temporalPort: number;
  temporalUiPort: number;
  /** How browsers reach Temporal's pages, where it is not by loopback. */
  temporalUiUrl?: string;
  authSecret?: string;
  /** Whether the start page begins a conversation with an echo bot. */
  echoBot: boolean;
  bootstrapAdmin: BootstrapAdmin;
  webhookAllowedNetworks: string[];
}

/** Under `npm start` the bots are programs on the same machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Variables that `npm start` itself has no use for but whose mistakes it can tell. */
const OTHERS = [
  'RATE_LIMIT_PER_SECOND',
  'TRUSTED_PROXIES',
  'SHUTDOWN_DELAY_MS',
  'WORKER_PORT',
  'WORKER_DEPLOYMENT_NAME',
  'TEMPORAL_DOWNLOAD_MIRROR',
  'MONGOMS_DOWNLOAD_MIRROR',
] as const;

/**
 * Reads the configuration of `npm start`, frozen. Throws ConfigurationError that names every
 * variable at fault, also those that only the processes it starts will use: better said once here
 * than by each of them.
 */
export function readStartConfig(env: Environment): Readonly<StartConfig> {
  const reader = readEnvironment(env);
  const mongodbUri = reader.value('MONGODB_URI');
  const temporalAddress = reader.value('TEMPORAL_ADDRESS');
  const authSecret = reader.value('AUTH_SECRET');
  const temporalUiUrl = reader.value('TEMPORAL_UI_URL');
  const product = readProduct(reader);
  for (const name of OTHERS) reader.value(name);
  const config = {
    host: reader.value('HOST'),
    port: reader.value('PORT'),
    publicUrl: product.publicUrl,
    dataDir: resolve(reader.value('DATA_DIR')),
    ...(mongodbUri === undefined ? {} : { mongodbUri }),
    ...(temporalAddress === undefined
      ? {}
      : { temporal: { temporalAddress, ...readTemporalSecurity(reader) } }),
    temporalNamespace: product.temporalNamespace,
    temporalPort: reader.value('TEMPORAL_PORT'),
    temporalUiPort: reader.value('TEMPORAL_UI_PORT'),
    ...(temporalUiUrl === undefined ? {} : { temporalUiUrl }),
    ...(authSecret === undefined ? {} : { authSecret }),
    echoBot: reader.value('ECHO_BOT') !== 'false',
    bootstrapAdmin: readBootstrapAdmin(reader),
    webhookAllowedNetworks: reader.value('WEBHOOK_ALLOWED_NETWORKS') ?? LOOPBACK,
  };
  if (hasClash(config))
    reader.complain('PORT, TEMPORAL_PORT and TEMPORAL_UI_PORT must differ from each other');
  return reader.finish(config);
}

/** Whether two of our servers are told to use one port. 0 is any free one. */
function hasClash({ port, temporalPort, temporalUiPort, temporal }: StartConfig): boolean {
  const ports = temporal === undefined ? [port, temporalPort, temporalUiPort] : [port];
  const fixed = ports.filter((one) => one !== 0);
  return new Set(fixed).size < fixed.length;
}
