import { resolve } from 'node:path';
import { readBootstrapAdmin } from './load.ts';
import type { BootstrapAdmin } from './load.ts';
import { readProduct } from './product.ts';
import { readEnvironment } from './read.ts';
import type { Environment } from './read.ts';
import { readTemporalSecurity } from './temporal.ts';
import type { TemporalConfig } from './temporal.ts';

/** Configuration of `npm start`, which starts an embedded server for each absent address. */
export interface StartConfig {
  host: string;
  port: number;
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  mongodbUri?: string;
  temporal?: TemporalConfig;
  temporalNamespace: string;
  temporalPort: number;
  temporalUiPort: number;
  /** Address of Temporal's pages for browsers that cannot use loopback. */
  temporalUiUrl?: string;
  authSecret?: string;
  echoBot: boolean;
  bootstrapAdmin: BootstrapAdmin;
  webhookAllowedNetworks: string[];
}

/** Under `npm start` bots run on the same machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Variables that only the started processes use, checked here as well. */
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
 * Reads the configuration of `npm start`, frozen. Throws ConfigurationError with every invalid
 * variable, including variables that only the started processes use: one report instead of one per
 * process.
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

/** Port 0 means any free port, so it never clashes. */
function hasClash({ port, temporalPort, temporalUiPort, temporal }: StartConfig): boolean {
  const ports = temporal === undefined ? [port, temporalPort, temporalUiPort] : [port];
  const fixed = ports.filter((one) => one !== 0);
  return new Set(fixed).size < fixed.length;
}
