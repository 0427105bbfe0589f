import ipaddr from 'ipaddr.js';
import { parseSmtpUrl } from '../../domain/channels/email/account.ts';
import type { MailServer } from '../../domain/channels/email/account.ts';
import { canonicalEmail } from '../../domain/email.ts';

interface VariableKind<T> {
  /** Completes "NAME must be …". */
  expected: string;
  /** Returns undefined for invalid text. */
  parse: (text: string) => T | undefined;
}

const text: VariableKind<string> = { expected: 'a text', parse: (given) => given };

function secret(bytes: number): VariableKind<string> {
  return {
    expected: `at least ${bytes} bytes long`,
    parse: (given) => (Buffer.byteLength(given) >= bytes ? given : undefined),
  };
}

const email: VariableKind<string> = { expected: 'an email address', parse: canonicalEmail };

interface MailRelay extends MailServer {
  /** Absent: the server needs no login. */
  login?: { user: string; pass: string };
}

const mailRelay: VariableKind<MailRelay> = {
  expected: 'an address such as smtps://user:password@smtp.example.com, with the password percent-encoded',
  parse(given) {
    if (!URL.canParse(given)) return undefined;
    const url = new URL(given);
    const login = decodeLogin(url);
    url.username = '';
    url.password = '';
    const server = parseSmtpUrl(url.href);
    return server && login !== undefined ? { ...server, ...login } : undefined;
  },
};

/** Returns undefined for half a login, and for escapes that are not UTF-8. */
function decodeLogin({ username, password }: URL): Pick<MailRelay, 'login'> | undefined {
  if (username === '' && password === '') return {};
  if (username === '' || password === '') return undefined;
  try {
    return { login: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  } catch {
    return undefined;
  }
}

function textMatching(form: RegExp, expected: string): VariableKind<string> {
  return { expected, parse: (given) => (form.test(given) ? given : undefined) };
}

function oneOf<const W extends string>(words: readonly W[]): VariableKind<W> {
  return { expected: `one of ${words.join(', ')}`, parse: (given) => words.find((word) => word === given) };
}

function integer(min: number, max: number): VariableKind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (given) => (/^\d{1,15}$/.test(given) ? valueWithin(Number(given), min, max) : undefined),
  };
}

function decimal(min: number, max: number): VariableKind<number> {
  return {
    expected: `a number from ${min} to ${max}`,
    parse: (given) =>
      /^\d{1,15}(\.\d{1,9})?$/.test(given) ? valueWithin(Number(given), min, max) : undefined,
  };
}

/** A TCP port; 0 lets the system choose. */
const port = integer(0, 65_535);

const webAddress: VariableKind<string> = {
  expected: 'an absolute http:// or https:// address without query and fragment',
  parse(given) {
    if (!/^https?:\/\/[^?#]+$/i.test(given) || !URL.canParse(given)) return undefined;
    return given.replace(/\/+$/, '');
  },
};

/** Executables come from this address, so the connection must be tamper-proof. */
const downloadAddress: VariableKind<string> = {
  expected: 'an https:// address (http:// of loopback alone) without query and fragment',
  parse(given) {
    const address = webAddress.parse(given);
    return address !== undefined && isUntampered(new URL(address)) ? address : undefined;
  },
};

export function isUntampered({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

const network: VariableKind<string> = {
  expected: 'a network in CIDR notation such as 10.0.0.0/8',
  parse: (given) => (ipaddr.isValidCIDR(given) ? given : undefined),
};

function either<A, B>(one: VariableKind<A>, other: VariableKind<B>): VariableKind<A | B> {
  return {
    expected: `${one.expected}, or ${other.expected}`,
    parse: (given) => one.parse(given) ?? other.parse(given),
  };
}

function listOf<T>(item: VariableKind<T>, bounds: { min: number; max: number }): VariableKind<T[]> {
  return {
    expected: `${bounds.min} to ${bounds.max} comma-separated items, each ${item.expected}`,
    parse(given) {
      const parts = given.split(',').map((part) => part.trim());
      if (parts.length < bounds.min || parts.length > bounds.max || parts.includes('')) return undefined;
      const items = parts.map(item.parse);
      return items.every((one) => one !== undefined) ? items : undefined;
    },
  };
}

function valueWithin(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}

/** See spec 1.4. */
export interface Variable<T = unknown> {
  kind: VariableKind<T>;
  /** As text. Absent also if the default depends on another variable. */
  default?: string;
  meaning: string;
}

const HOUR_SECONDS = 3600;
const CODE = textMatching(/^[a-z][a-z0-9_-]{0,31}$/, 'a short lower-case code (letters, digits, - and _)');
const HOST_AND_PORT = textMatching(/^(\[[0-9a-f:.]+\]|[^\s:/@]+):\d{1,5}$/i, 'host:port');

/** All variables of the product. A test compares them with `.env.example`. */
export const VARIABLES = {
  HOST: { kind: text, default: '127.0.0.1', meaning: 'address the API listens on' },
  PORT: { kind: port, default: '3000', meaning: 'port the API listens on' },
  PUBLIC_URL: {
    kind: webAddress,
    meaning: 'base of viewer URLs, Location and Link headers (default http://localhost:PORT)',
  },
  DATA_DIR: {
    kind: text,
    default: './data',
    meaning: 'folder for the data of npm start and the embedded servers',
  },
  MONGODB_URI: {
    kind: textMatching(/^mongodb(\+srv)?:\/\/\S+$/, 'a mongodb:// or mongodb+srv:// address'),
    meaning:
      'a MongoDB 7 or newer (default: an embedded one), database parlance unless named; if set but not responding, no fallback',
  },
  TEMPORAL_ADDRESS: {
    kind: HOST_AND_PORT,
    meaning:
      'host:port of a Temporal server (default: an embedded one); if set but not responding, no fallback',
  },
  TEMPORAL_NAMESPACE: {
    kind: textMatching(/^[\w.-]{1,255}$/, 'a name of letters, digits, ., _ and -'),
    default: 'default',
    meaning: 'Temporal namespace',
  },
  TEMPORAL_TLS: {
    kind: oneOf(['true', 'false']),
    default: 'false',
    meaning: 'true: speak TLS to TEMPORAL_ADDRESS; so do an API key or a certificate',
  },
  TEMPORAL_TLS_CA_PATH: {
    kind: text,
    meaning:
      "PEM file of the authority of Temporal's certificate (default: the authorities that the system trusts)",
  },
  TEMPORAL_TLS_CERT_PATH: { kind: text, meaning: 'PEM file of our certificate for mutual TLS' },
  TEMPORAL_TLS_KEY_PATH: { kind: text, meaning: 'PEM file of the key of that certificate' },
  TEMPORAL_API_KEY: { kind: text, meaning: 'API key for Temporal Cloud' },
  TEMPORAL_PORT: { kind: port, default: '7233', meaning: 'port of the embedded Temporal server' },
  TEMPORAL_UI_PORT: { kind: port, default: '8233', meaning: "port of the embedded Temporal server's pages" },
  TEMPORAL_UI_URL: {
    kind: webAddress,
    meaning:
      "address of Temporal's pages, linked from the start page (npm start: http://127.0.0.1:TEMPORAL_UI_PORT; its host may ask for them)",
  },
  ECHO_BOT: {
    kind: oneOf(['true', 'false']),
    meaning:
      'true: the start page begins a conversation with an echo bot, if HOST and PUBLIC_URL are loopback (npm start: true)',
  },
  TEMPORAL_CLI_PATH: { kind: text, meaning: 'a temporal binary to use for the embedded server' },
  TEMPORAL_DOWNLOAD_MIRROR: {
    kind: downloadAddress,
    default: 'https://temporal.download',
    meaning: 'https address from which a missing temporal binary is downloaded; its checksum is not checked',
  },
  MONGOMS_SYSTEM_BINARY: { kind: text, meaning: 'a mongod binary to use for the embedded MongoDB' },
  MONGOMS_DOWNLOAD_MIRROR: {
    kind: downloadAddress,
    default: 'https://fastdl.mongodb.org',
    meaning: 'https address from which a missing mongod binary and its checksum are downloaded',
  },
  AUTH_SECRET: {
    kind: secret(32),
    meaning: 'signs tokens, 32 bytes or more; generated into DATA_DIR by npm start, required otherwise',
  },
  BOOTSTRAP_ADMIN_EMAIL: {
    kind: email,
    default: 'admin@parlance.local',
    meaning: 'email of the first admin, who is created only while no user exists',
  },
  BOOTSTRAP_ADMIN_PASSWORD: {
    kind: textMatching(/^.{10,200}$/su, '10 to 200 characters long'),
    meaning: "the first admin's password; generated and printed once by npm start",
  },
  BOOTSTRAP_ORGANIZATION: {
    kind: text,
    default: 'Parlance',
    meaning: 'name of the root organization, created with the first admin',
  },
  RATE_LIMIT_PER_ADDRESS: {
    kind: integer(0, 1_000_000),
    default: '20',
    meaning: 'requests per second and client address; 0 turns the limit off',
  },
  RATE_LIMIT_PER_KEY: {
    kind: integer(0, 1_000_000),
    default: '20',
    meaning: 'requests per second and API key, token or ingest address; 0 turns the limit off',
  },
  RATE_LIMIT_EXEMPT_NETWORKS: {
    kind: listOf(network, { min: 1, max: 100 }),
    meaning: 'networks of clients that are limited by key alone, CIDR list (default: none)',
  },
  TRUSTED_PROXIES: {
    kind: either(integer(0, 10), listOf(network, { min: 1, max: 100 })),
    default: '0',
    meaning: 'how many reverse proxies stand in front of the API, or their networks, CIDR list',
  },
  CLIENT_ADDRESS_HEADER: {
    kind: textMatching(/^[a-z][a-z\d-]{0,63}$/i, 'the name of a header'),
    meaning: 'header in which trusted proxies name the client (default: X-Forwarded-For, else Forwarded)',
  },
  WEBHOOK_ALLOWED_NETWORKS: {
    kind: listOf(network, { min: 1, max: 100 }),
    meaning: 'private networks webhooks may reach, CIDR list (default: none; npm start: 127.0.0.0/8,::1/128)',
  },
  WEBHOOK_RETRY_SECONDS: {
    kind: listOf(decimal(0, 30 * 24 * HOUR_SECONDS), { min: 1, max: 50 }),
    default: '5,300,1800,7200,18000,36000,50400,72000,86400',
    meaning: 'waits between the attempts of a webhook delivery, each varied by 20 %',
  },
  WEBHOOK_TIMEOUT_MS: {
    kind: integer(1, 600_000),
    default: '20000',
    meaning: 'time for one webhook attempt, from connecting to the last byte',
  },
  DELIVERY_SHARDS: {
    kind: integer(1, 1024),
    default: '16',
    meaning: 'how many shards deliveries are divided into; the same for every process',
  },
  TOUCHPOINT_SOCIAL_MESSENGER: {
    kind: CODE,
    default: 'facebook',
    meaning: 'code of the social messenger touchpoint',
  },
  TOUCHPOINT_CHAT_APP: { kind: CODE, default: 'whatsapp', meaning: 'code of the chat app touchpoint' },
  SERVICE_PROVIDERS: {
    kind: listOf(CODE, { min: 1, max: 50 }),
    default: 'provider_1,provider_2,provider_3,provider_4,provider_5,provider_6,provider_7',
    meaning: 'values of serviceType besides api and webhook; the first is the default',
  },
  MAIL_URL: {
    kind: mailRelay,
    meaning:
      'SMTP server for invitations and forgotten passwords, smtps:// or smtp:// with user and password (default: none)',
  },
  MAIL_FROM: { kind: email, meaning: 'sender of these mails, required with MAIL_URL' },
  MAIL_DOMAIN: {
    kind: textMatching(/^(?=.{1,180}$)[a-z\d-]+(\.[a-z\d-]+)+$/, 'a domain in lower case'),
    meaning:
      "a domain whose mail reaches MAIL_PORT, such as in.example.com; replies to mails go there (default: to the channel's address)",
  },
  MAIL_PORT: {
    kind: port,
    meaning: 'port, on HOST, on which the API receives mail for MAIL_DOMAIN (default: none)',
  },
  MAIL_PROTOCOL: {
    kind: oneOf(['smtp', 'lmtp']),
    default: 'smtp',
    meaning: 'protocol of MAIL_PORT',
  },
  MAIL_TLS_CERT_PATH: {
    kind: text,
    meaning: 'PEM file of the certificate of MAIL_PORT, which then offers STARTTLS',
  },
  MAIL_TLS_KEY_PATH: { kind: text, meaning: 'PEM file of the key of that certificate' },
  MAILBOX_POLL_MS: {
    kind: integer(100, 600_000),
    default: '60000',
    meaning: 'how often a worker reads a mailbox whose server does not report new mail',
  },
  FILES_QUOTA_MIB: {
    kind: integer(0, 1_000_000_000),
    default: '5120',
    meaning: "maximum size of all files of an organization's conversations, in MiB; 0 turns the limit off",
  },
  FILES_S3_ENDPOINT: {
    kind: webAddress,
    meaning:
      'address of an S3-compatible service that keeps the files, without the bucket (default: MongoDB keeps them)',
  },
  FILES_S3_BUCKET: {
    kind: textMatching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'),
    meaning: 'bucket of FILES_S3_ENDPOINT; it must exist',
  },
  FILES_S3_REGION: { kind: text, default: 'us-east-1', meaning: 'region of FILES_S3_BUCKET' },
  FILES_S3_ACCESS_KEY_ID: { kind: text, meaning: 'id of a key that may read and write FILES_S3_BUCKET' },
  FILES_S3_SECRET_ACCESS_KEY: { kind: text, meaning: 'secret of FILES_S3_ACCESS_KEY_ID' },
  SHUTDOWN_DELAY_MS: {
    kind: integer(0, 60_000),
    default: '0',
    meaning:
      'how long an ending API process still accepts requests, with /readyz 503, until proxies have noticed',
  },
  SHUTDOWN_TIMEOUT_MS: {
    kind: integer(1_000, 600_000),
    default: '30000',
    meaning: 'how long an ending process may take to finish its work (npm start: 3 s)',
  },
  DEADLINE_FACTOR: {
    kind: decimal(1, 10),
    default: '1',
    meaning:
      'multiplies how long a process waits for the store, Temporal or another process; raise it on a slow machine',
  },
  WORKER_PORT: {
    kind: port,
    meaning: 'port, on HOST, of the /healthz, /readyz and /metrics of a worker (default: none)',
  },
  WORKER_BUILD_ID: {
    kind: textMatching(/^[\w.-]{1,128}$/, 'a name of letters, digits, ., _ and -'),
    meaning: 'turns worker versioning on: the build that this worker is (docs/deployment.md)',
  },
  WORKER_DEPLOYMENT_NAME: {
    kind: textMatching(/^[\w-]{1,128}$/, 'a name of letters, digits, _ and -'),
    default: 'parlance',
    meaning: 'name of the deployment that builds of the worker are versions of',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: webAddress,
    meaning: 'collector that traces are sent to, by OTLP over HTTP (default: no traces)',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    kind: decimal(0, 1),
    default: '1',
    meaning: 'share of the requests that is traced, of requests without a trace',
  },
  LOG_LEVEL: {
    kind: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    meaning: 'least severe level that is logged: fatal, error, warn, info, debug, trace, or silent',
  },
  LOG_FORMAT: {
    kind: oneOf(['json', 'text']),
    meaning: 'format of the logs: json, or text for people (default: text on a terminal, otherwise json)',
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;

export type ValueOf<N extends VariableName> = (typeof VARIABLES)[N] extends {
  kind: VariableKind<infer T>;
  default: string;
}
  ? T
  : (typeof VARIABLES)[N] extends { kind: VariableKind<infer T> }
    ? T | undefined
    : never;
