import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BucketConfig } from '../../domain/files/file.ts';
import { FIXED_TOUCHPOINTS } from '../../domain/conversations/touchpoint.ts';
import type { TouchpointCodes } from '../../domain/conversations/touchpoint.ts';
import { scaleDeadlines } from './deadlines.ts';
import type { Deadlines } from './deadlines.ts';
import { readEnvironment } from './load.ts';
import type { Environment, EnvironmentReader } from './load.ts';
import type { VARIABLES, ValueOf } from './variables.ts';

export interface ProductConfig {
  /** Base of every public address, without trailing slash. */
  publicUrl: string;
  temporalNamespace: string;
  touchpointCodes: TouchpointCodes;
  /** Values of `serviceType` (spec 6.1); the first is the default. */
  serviceProviders: string[];
  webhookTimeoutMs: number;
  /** Waits between attempts, before jitter. */
  webhookRetrySeconds: number[];
  webhookAllowedNetworks: string[];
  deliveryShards: number;
  /** Mail to this domain reaches the mail listener. */
  mailDomain: string | undefined;
  /** Absent: the product sends no mail of its own (spec 3.10). */
  ownMail: OwnMailConfig | undefined;
  shutdownTimeoutMs: number;
  deadlines: Deadlines;
  files: FilesConfig;
  tracing: TracingConfig;
  logLevel: ValueOf<'LOG_LEVEL'>;
  logFormat: ValueOf<'LOG_FORMAT'>;
}

export interface OwnMailConfig {
  server: NonNullable<ValueOf<'MAIL_URL'>>;
  from: string;
}

export interface FilesConfig {
  /** Bytes per organization. Infinity: no limit. */
  quotaBytes: number;
  /** Absent: MongoDB keeps the files. */
  bucket?: BucketConfig | undefined;
}

export interface TracingConfig {
  /** Absent: tracing is off. */
  endpoint?: string | undefined;
  /** Sampling ratio, 0 to 1, of requests without a trace of the caller. */
  ratio: number;
}

export interface TemporalConfig {
  temporalAddress: string;
  /** Absent: no TLS. Values are PEM. Without `authority` the system's authorities are trusted. */
  temporalTls?:
    | {
        authority?: string | undefined;
        client?: KeyPair | undefined;
      }
    | undefined;
  temporalApiKey?: string | undefined;
}

/** The first admin, created only when no user exists (spec 1.4). */
export interface BootstrapAdmin {
  email: string;
  password?: string | undefined;
  organization: string;
}

/** Values are PEM. */
export interface KeyPair {
  certificate: string;
  key: string;
}

export interface MailListenerConfig {
  port: number;
  domain: string;
  protocol: 'smtp' | 'lmtp';
  /** Absent: the listener offers no STARTTLS. */
  tls: KeyPair | undefined;
}

export interface ApiConfig extends ProductConfig, TemporalConfig {
  host: string;
  port: number;
  /** Absent: no mail is received. */
  mailListener: MailListenerConfig | undefined;
  mongodbUri: string;
  temporalUiUrl: string | undefined;
  echoBot: boolean;
  /** Absolute. The folder may be missing. */
  dataDir: string;
  authSecret: string;
  bootstrapAdmin: BootstrapAdmin;
  /** Per client address and per API key; 0 = no limit. */
  rateLimits: RateLimits;
  /** Their number, or their networks in CIDR notation. */
  trustedProxies: number | readonly string[];
  /** Lower case. */
  clientAddressHeader: string | undefined;
  /** Time to keep accepting requests after SIGTERM. */
  shutdownDelayMs: number;
}

/** Requests per second (spec 2.10). 0 disables a limit. */
export interface RateLimits {
  perAddress: number;
  perKey: number;
  /** CIDR notation. */
  exemptNetworks: readonly string[];
}

export function readApiConfig(env: Environment): Readonly<ApiConfig> {
  const reader = readEnvironment(env);
  return reader.finish({
    ...readProduct(reader),
    host: reader.value('HOST'),
    port: reader.value('PORT'),
    mailListener: readMailListener(reader),
    mongodbUri: reader.required('MONGODB_URI'),
    ...readTemporal(reader),
    temporalUiUrl: reader.value('TEMPORAL_UI_URL'),
    echoBot: reader.value('ECHO_BOT') === 'true',
    dataDir: resolve(reader.value('DATA_DIR')),
    authSecret: reader.required('AUTH_SECRET'),
    bootstrapAdmin: readBootstrapAdmin(reader),
    rateLimits: {
      perAddress: reader.value('RATE_LIMIT_PER_ADDRESS'),
      perKey: reader.value('RATE_LIMIT_PER_KEY'),
      exemptNetworks: reader.value('RATE_LIMIT_EXEMPT_NETWORKS') ?? [],
    },
    trustedProxies: reader.value('TRUSTED_PROXIES'),
    clientAddressHeader: reader.value('CLIENT_ADDRESS_HEADER')?.toLowerCase(),
    shutdownDelayMs: reader.value('SHUTDOWN_DELAY_MS'),
  });
}

export interface WorkerConfig extends ProductConfig, TemporalConfig {
  mongodbUri: string;
  /** Verifies the token in a webhook's response (spec 7.9). */
  authSecret: string;
  /** Longest time until a new mail in a mailbox is noticed. */
  mailboxPollMs: number;
  probes?: { host: string; port: number } | undefined;
  version?: { deploymentName: string; buildId: string } | undefined;
}

export function readWorkerConfig(env: Environment): Readonly<WorkerConfig> {
  const reader = readEnvironment(env);
  const port = reader.value('WORKER_PORT');
  const host = reader.value('HOST');
  const buildId = reader.value('WORKER_BUILD_ID');
  const deploymentName = reader.value('WORKER_DEPLOYMENT_NAME');
  return reader.finish({
    ...readProduct(reader),
    mongodbUri: reader.required('MONGODB_URI'),
    ...readTemporal(reader),
    authSecret: reader.required('AUTH_SECRET'),
    mailboxPollMs: reader.value('MAILBOX_POLL_MS'),
    probes: port === undefined ? undefined : { host, port },
    version: buildId === undefined ? undefined : { deploymentName, buildId },
  });
}

/**
 * Beyond this number, the least recently used workflow is evicted and later replayed
 * (docs/decisions/worker-memory.md).
 */
export const MAX_CACHED_WORKFLOWS = 2_000;

/** `npm start` starts an embedded server for each absent address. */
export interface StartConfig {
  host: string;
  port: number;
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  mongodbUri?: string | undefined;
  temporal?: TemporalConfig | undefined;
  temporalNamespace: string;
  temporalPort: number;
  temporalUiPort: number;
  /** Address for browsers that cannot use loopback. */
  temporalUiUrl?: string | undefined;
  authSecret?: string | undefined;
  echoBot: boolean;
  bootstrapAdmin: BootstrapAdmin;
  webhookAllowedNetworks: string[];
  logFormat: ValueOf<'LOG_FORMAT'>;
}

/** Under `npm start`, bots may run on the same machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Variables that are checked, but not part of StartConfig. */
const OTHERS = [
  'RATE_LIMIT_PER_ADDRESS',
  'RATE_LIMIT_PER_KEY',
  'RATE_LIMIT_EXEMPT_NETWORKS',
  'TRUSTED_PROXIES',
  'CLIENT_ADDRESS_HEADER',
  'SHUTDOWN_DELAY_MS',
  'MAIL_PORT',
  'MAIL_PROTOCOL',
  'MAIL_TLS_CERT_PATH',
  'MAIL_TLS_KEY_PATH',
  'MAILBOX_POLL_MS',
  'WORKER_PORT',
  'WORKER_DEPLOYMENT_NAME',
  'TEMPORAL_DOWNLOAD_MIRROR',
  'MONGOMS_DOWNLOAD_MIRROR',
] as const;

/** Throws ConfigurationError with every invalid variable of the processes of `npm start`. */
export function readStartConfig(env: Environment): Readonly<StartConfig> {
  const reader = readEnvironment(env);
  const mongodbUri = reader.value('MONGODB_URI');
  const temporalAddress = reader.value('TEMPORAL_ADDRESS');
  const authSecret = reader.value('AUTH_SECRET');
  const temporalUiUrl = reader.value('TEMPORAL_UI_URL');
  const { publicUrl, temporalNamespace, logFormat } = readProduct(reader);
  for (const name of OTHERS) reader.value(name);
  const config: StartConfig = {
    host: reader.value('HOST'),
    port: reader.value('PORT'),
    publicUrl,
    dataDir: resolve(reader.value('DATA_DIR')),
    mongodbUri,
    temporal: temporalAddress === undefined ? undefined : readTemporal(reader),
    temporalNamespace,
    temporalPort: reader.value('TEMPORAL_PORT'),
    temporalUiPort: reader.value('TEMPORAL_UI_PORT'),
    temporalUiUrl,
    authSecret,
    echoBot: reader.value('ECHO_BOT') !== 'false',
    bootstrapAdmin: readBootstrapAdmin(reader),
    webhookAllowedNetworks: reader.value('WEBHOOK_ALLOWED_NETWORKS') ?? LOOPBACK,
    logFormat,
  };
  if (hasPortClash(config))
    reader.complain('PORT, TEMPORAL_PORT and TEMPORAL_UI_PORT must differ from each other');
  return reader.finish(config);
}

function hasPortClash({ port, temporalPort, temporalUiPort, temporal }: StartConfig): boolean {
  const ports = temporal === undefined ? [port, temporalPort, temporalUiPort] : [port];
  const fixed = ports.filter((one) => one !== 0);
  return new Set(fixed).size < fixed.length;
}

function readProduct(reader: EnvironmentReader): ProductConfig {
  return {
    publicUrl: reader.value('PUBLIC_URL') ?? `http://localhost:${reader.value('PORT')}`,
    temporalNamespace: reader.value('TEMPORAL_NAMESPACE'),
    touchpointCodes: readTouchpointCodes(reader),
    serviceProviders: reader.value('SERVICE_PROVIDERS'),
    webhookTimeoutMs: reader.value('WEBHOOK_TIMEOUT_MS'),
    webhookRetrySeconds: reader.value('WEBHOOK_RETRY_SECONDS'),
    webhookAllowedNetworks: reader.value('WEBHOOK_ALLOWED_NETWORKS') ?? [],
    deliveryShards: reader.value('DELIVERY_SHARDS'),
    mailDomain: reader.value('MAIL_DOMAIN'),
    ownMail: readOwnMail(reader),
    shutdownTimeoutMs: reader.value('SHUTDOWN_TIMEOUT_MS'),
    deadlines: scaleDeadlines(reader.value('DEADLINE_FACTOR')),
    files: {
      quotaBytes: reader.value('FILES_QUOTA_MIB') * MIB || Infinity,
      bucket: readBucket(reader),
    },
    tracing: {
      endpoint: reader.value('OTEL_EXPORTER_OTLP_ENDPOINT'),
      ratio: reader.value('OTEL_TRACES_SAMPLER_ARG'),
    },
    logLevel: reader.value('LOG_LEVEL'),
    logFormat: reader.value('LOG_FORMAT'),
  };
}

function readOwnMail(reader: EnvironmentReader): OwnMailConfig | undefined {
  const [server, from] = [reader.value('MAIL_URL'), reader.value('MAIL_FROM')];
  if (server === undefined && from === undefined) return undefined;
  return { server: reader.required('MAIL_URL'), from: reader.required('MAIL_FROM') };
}

function readMailListener(reader: EnvironmentReader): MailListenerConfig | undefined {
  const port = reader.value('MAIL_PORT');
  const domain = reader.value('MAIL_DOMAIN');
  const protocol = reader.value('MAIL_PROTOCOL');
  const tls = readKeyPair(reader, 'MAIL_TLS_CERT_PATH', 'MAIL_TLS_KEY_PATH');
  if (port === undefined) return undefined;
  if (domain === undefined) {
    reader.complain('MAIL_PORT needs MAIL_DOMAIN, the domain whose mail it receives');
    return undefined;
  }
  return { port, domain, protocol, tls };
}

const MIB = 1024 * 1024;

const BUCKET_VARIABLES = [
  'FILES_S3_ENDPOINT',
  'FILES_S3_BUCKET',
  'FILES_S3_ACCESS_KEY_ID',
  'FILES_S3_SECRET_ACCESS_KEY',
] as const;

/** Reports a bucket that is described in part only. */
function readBucket(reader: EnvironmentReader): BucketConfig | undefined {
  const region = reader.value('FILES_S3_REGION');
  if (BUCKET_VARIABLES.every((name) => reader.value(name) === undefined)) return undefined;
  return {
    endpoint: reader.required('FILES_S3_ENDPOINT'),
    bucket: reader.required('FILES_S3_BUCKET'),
    accessKeyId: reader.required('FILES_S3_ACCESS_KEY_ID'),
    secretAccessKey: reader.required('FILES_S3_SECRET_ACCESS_KEY'),
    region,
  };
}

function readTouchpointCodes(reader: EnvironmentReader): TouchpointCodes {
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

/** Enables TLS also with an API key, an authority or a certificate. */
function readTemporal(reader: EnvironmentReader): TemporalConfig {
  const temporalAddress = reader.required('TEMPORAL_ADDRESS');
  const temporalApiKey = reader.value('TEMPORAL_API_KEY');
  const authority = readPem(reader, 'TEMPORAL_TLS_CA_PATH');
  const client = readKeyPair(reader, 'TEMPORAL_TLS_CERT_PATH', 'TEMPORAL_TLS_KEY_PATH');
  const isTls = reader.value('TEMPORAL_TLS') === 'true' || temporalApiKey || authority || client;
  return {
    temporalAddress,
    temporalTls: isTls ? { authority: authority || undefined, client } : undefined,
    temporalApiKey,
  };
}

type PemVariable = Extract<keyof typeof VARIABLES, `${string}_TLS_${string}_PATH`>;

function readKeyPair(
  reader: EnvironmentReader,
  ...names: [certificate: PemVariable, key: PemVariable]
): KeyPair | undefined {
  const [certificate, key] = names.map((name) => readPem(reader, name));
  if (!certificate !== !key) reader.complain(`${names.join(' and ')} must be set together`);
  return certificate && key ? { certificate, key } : undefined;
}

function readPem(reader: EnvironmentReader, name: PemVariable): string | undefined {
  const path = reader.value(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    reader.complain(`${name} must be a file that can be read`);
    return undefined;
  }
}

function readBootstrapAdmin(reader: EnvironmentReader): BootstrapAdmin {
  return {
    email: reader.value('BOOTSTRAP_ADMIN_EMAIL'),
    password: reader.value('BOOTSTRAP_ADMIN_PASSWORD'),
    organization: reader.value('BOOTSTRAP_ORGANIZATION'),
  };
}
