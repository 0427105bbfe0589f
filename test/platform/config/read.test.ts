import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEADLINES_MS } from '../../../platform/config/deadlines.ts';
import { readApiConfig, readStartConfig, readWorkerConfig } from '../../../platform/config/processes.ts';
import { ConfigurationError } from '../../../platform/config/load.ts';

const SECRET = 's'.repeat(32);
const SERVERS = {
  MONGODB_URI: 'mongodb://127.0.0.1:27017/',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  AUTH_SECRET: SECRET,
};

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('reading the configuration', () => {
  test('an API process gets the defaults of the specification', () => {
    expect(readApiConfig(SERVERS)).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      mongodbUri: 'mongodb://127.0.0.1:27017/',
      temporalAddress: '127.0.0.1:7233',
      temporalNamespace: 'default',
      echoBot: false,
      dataDir: resolve('data'),
      authSecret: SECRET,
      bootstrapAdmin: { email: 'admin@parlance.local', organization: 'Parlance' },
      rateLimits: { perAddress: 20, perKey: 20, exemptNetworks: [] },
      trustedProxies: 0,
      clientAddressHeader: undefined,
      touchpointCodes: { socialMessenger: 'facebook', chatApp: 'whatsapp' },
      serviceProviders: [1, 2, 3, 4, 5, 6, 7].map((n) => `provider_${n}`),
      webhookTimeoutMs: 20_000,
      webhookRetrySeconds: [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
      webhookAllowedNetworks: [],
      deliveryShards: 16,
      shutdownDelayMs: 0,
      shutdownTimeoutMs: 30_000,
      deadlines: DEADLINES_MS,
      files: { quotaBytes: 5 * 1024 ** 3 },
      tracing: { ratio: 1 },
      logLevel: 'info',
    });
  });

  test('the trusted proxies are a number, or networks', () => {
    const read = (given: string) => readApiConfig({ ...SERVERS, TRUSTED_PROXIES: given }).trustedProxies;
    expect(read('2')).toBe(2);
    expect(read('10.0.0.0/8, fd00::/8')).toEqual(['10.0.0.0/8', 'fd00::/8']);
  });

  test('the configuration of an API or a worker requires the servers and the secret, and the error names all missing variables', () => {
    for (const read of [readApiConfig, readWorkerConfig]) {
      const problems = problemsOf(() => read({}));
      expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
        'MONGODB_URI',
        'TEMPORAL_ADDRESS',
        'AUTH_SECRET',
      ]);
    }
  });

  test('the configuration refuses a bucket that is described in part only', () => {
    const bucket = { FILES_S3_ENDPOINT: 'https://s3.example', FILES_S3_BUCKET: 'files' };
    const problems = problemsOf(() => readApiConfig({ ...SERVERS, ...bucket }));
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'FILES_S3_ACCESS_KEY_ID',
      'FILES_S3_SECRET_ACCESS_KEY',
    ]);
    expect(readApiConfig({ ...SERVERS, FILES_QUOTA_MIB: '0' }).files.quotaBytes).toBe(Infinity);
  });

  test('the configuration refuses a certificate without a key, and missing files', () => {
    const paths = { TEMPORAL_TLS_CERT_PATH: '/nowhere/cert.pem', TEMPORAL_TLS_CA_PATH: '/nowhere/ca.pem' };
    expect(problemsOf(() => readWorkerConfig({ ...SERVERS, ...paths }))).toEqual([
      'TEMPORAL_TLS_CA_PATH must be a file that can be read',
      'TEMPORAL_TLS_CERT_PATH must be a file that can be read',
    ]);
    const half = { TEMPORAL_TLS_CERT_PATH: '.npmrc' };
    expect(problemsOf(() => readWorkerConfig({ ...SERVERS, ...half }))).toEqual([
      'TEMPORAL_TLS_CERT_PATH and TEMPORAL_TLS_KEY_PATH must be set together',
    ]);
  });

  test('the configuration refuses a mail listener without a domain, or with a certificate without a key', () => {
    const port = { MAIL_PORT: '2525' };
    expect(problemsOf(() => readApiConfig({ ...SERVERS, ...port }))).toEqual([
      'MAIL_PORT needs MAIL_DOMAIN, the domain whose mail it receives',
    ]);
    const mail = { ...port, MAIL_DOMAIN: 'in.example.com' };
    expect(problemsOf(() => readApiConfig({ ...SERVERS, ...mail, MAIL_TLS_KEY_PATH: '.npmrc' }))).toEqual([
      'MAIL_TLS_CERT_PATH and MAIL_TLS_KEY_PATH must be set together',
    ]);
    const { mailListener } = readApiConfig({ ...SERVERS, ...mail });
    expect(mailListener).toEqual({ port: 2525, domain: 'in.example.com', protocol: 'smtp', tls: undefined });
  });

  test('the configuration takes a mail server with a percent-encoded password, and needs a sender', () => {
    const url = { MAIL_URL: 'smtps://ada%40example.com:p%20%2F%3A@smtp.example.com' };
    expect(problemsOf(() => readApiConfig({ ...SERVERS, ...url }))).toEqual([
      'MAIL_FROM is required: sender of these mails, required with MAIL_URL',
    ]);
    expect(readWorkerConfig({ ...SERVERS, ...url, MAIL_FROM: 'Accounts@example.com' }).ownMail).toEqual({
      server: {
        ...{ host: 'smtp.example.com', port: 465, isSecure: true, isLocal: false },
        login: { user: 'ada@example.com', pass: 'p /:' },
      },
      from: 'accounts@example.com',
    });
  });

  test.each([
    'https://smtp.example.com',
    'localhost:25',
    'smtp://ada@smtp.example.com',
    'smtp://:secret@smtp.example.com',
    'smtp://ada:%FF@smtp.example.com',
    'smtp://smtp.example.com/path',
  ])('the configuration refuses the mail server %s, without its value', (url) => {
    const [problem = '', ...others] = problemsOf(() =>
      readApiConfig({ ...SERVERS, MAIL_URL: url, MAIL_FROM: 'accounts@example.com' }),
    );
    expect(problem).toMatch(/^MAIL_URL must be an address such as/);
    expect([others, problem.includes(url)]).toEqual([[], false]);
  });

  test('npm start requires no variable, and its webhooks may reach this machine', () => {
    const config = readStartConfig({});
    expect(config).toMatchObject({ port: 3000, temporalPort: 7233, temporalUiPort: 8233 });
    expect(config.webhookAllowedNetworks).toEqual(['127.0.0.0/8', '::1/128']);
    expect(config.mongodbUri).toBeUndefined();
    expect(config.temporalUiUrl).toBeUndefined();
    const behindProxy = { TEMPORAL_UI_URL: 'https://temporal.shop.example/' };
    expect(readStartConfig(behindProxy).temporalUiUrl).toBe('https://temporal.shop.example');
  });

  test('npm start also reports bad values of variables that only the API and the worker use', () => {
    expect(
      problemsOf(() => readStartConfig({ WEBHOOK_TIMEOUT_MS: 'soon', RATE_LIMIT_PER_KEY: '-1' })),
    ).toEqual([
      'WEBHOOK_TIMEOUT_MS must be a whole number from 1 to 600000',
      'RATE_LIMIT_PER_KEY must be a whole number from 0 to 1000000',
    ]);
  });

  test('the configuration treats a blank variable as unset', () => {
    expect(readStartConfig({ PORT: '', DATA_DIR: ' ' }).port).toBe(3000);
    expect(problemsOf(() => readApiConfig({ ...SERVERS, AUTH_SECRET: ' ' }))).toHaveLength(1);
  });

  test('the configuration derives the public address from the port, and drops a trailing slash of a given address', () => {
    expect(readStartConfig({ PORT: '4000' }).publicUrl).toBe('http://localhost:4000');
    expect(readStartConfig({ PUBLIC_URL: 'https://chat.example/base/' }).publicUrl).toBe(
      'https://chat.example/base',
    );
  });

  test('the configuration accepts spaces between the items of a list', () => {
    const config = readWorkerConfig({
      ...SERVERS,
      WEBHOOK_RETRY_SECONDS: '0.5, 1,2',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8',
      SERVICE_PROVIDERS: 'acme , other',
    });
    expect(config.webhookRetrySeconds).toEqual([0.5, 1, 2]);
    expect(config.webhookAllowedNetworks).toEqual(['10.0.0.0/8', 'fd00::/8']);
    expect(config.serviceProviders).toEqual(['acme', 'other']);
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '0x50'],
    ['PUBLIC_URL', 'localhost:3000'],
    ['PUBLIC_URL', 'https://chat.example/?a=b'],
    ['MONGODB_URI', 'postgres://db-host-7/x'],
    ['TEMPORAL_ADDRESS', 'http://t:7233'],
    ['AUTH_SECRET', 'hunter2'],
    ['BOOTSTRAP_ADMIN_EMAIL', 'root'],
    ['BOOTSTRAP_ADMIN_PASSWORD', 'short-pw'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['RATE_LIMIT_EXEMPT_NETWORKS', '192.0.2.1'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,,'],
    ['WEBHOOK_RETRY_SECONDS', '5,later'],
    ['LOG_LEVEL', 'verbose'],
    ['DEADLINE_FACTOR', '0.5'],
    ['DEADLINE_FACTOR', '10.5'],
    ['DEADLINE_FACTOR', 'twice'],
    ['SERVICE_PROVIDERS', 'Acme Corp'],
    ['TRUSTED_PROXIES', '1.5'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy.example'],
    ['CLIENT_ADDRESS_HEADER', 'X-Real-IP, Via'],
  ])(
    'the configuration refuses a bad %s (%s) with the name of the variable and never shows the value',
    (name, value) => {
      const problems = problemsOf(() => readApiConfig({ ...SERVERS, [name]: value }));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(new RegExp(`^${name} must be `));
      expect(problems[0]).not.toContain(value);
    },
  );

  test.each(['TEMPORAL_DOWNLOAD_MIRROR', 'MONGOMS_DOWNLOAD_MIRROR'])(
    'the configuration requires https in %s, and accepts http only for loopback',
    (name) => {
      for (const good of [
        'https://mirror.example/x',
        'http://127.0.0.1:8080',
        'http://localhost',
        'http://[::1]:1',
      ])
        expect(() => readStartConfig({ [name]: good })).not.toThrow();
      for (const bad of [
        'http://mirror.example',
        'http://127.0.0.1.evil.example',
        'ftp://localhost',
        'file:///tmp',
      ])
        expect(problemsOf(() => readStartConfig({ [name]: bad }))).toEqual([
          `${name} must be an https:// address (http:// of loopback alone) without query and fragment`,
        ]);
    },
  );

  test('the configuration refuses a touchpoint code that another touchpoint uses', () => {
    expect(problemsOf(() => readApiConfig({ ...SERVERS, TOUCHPOINT_CHAT_APP: 'web' }))).toHaveLength(1);
    expect(problemsOf(() => readApiConfig({ ...SERVERS, TOUCHPOINT_CHAT_APP: 'facebook' }))).toHaveLength(1);
  });

  test('DEADLINE_FACTOR multiplies every deadline of an API and a worker', () => {
    const scaled = Object.entries(DEADLINES_MS).map(([name, ms]) => [name, 2.5 * ms]);
    for (const read of [readApiConfig, readWorkerConfig]) {
      const { deadlines } = read({ ...SERVERS, DEADLINE_FACTOR: '2.5' });
      expect(deadlines).toEqual(Object.fromEntries(scaled));
    }
    expect(problemsOf(() => readStartConfig({ DEADLINE_FACTOR: '0' }))).toEqual([
      'DEADLINE_FACTOR must be a number from 1 to 10',
    ]);
  });

  test('a claim on an Idempotency-Key is extended twice before it ends', () => {
    expect(2 * DEADLINES_MS.keyClaimExtension).toBeLessThan(DEADLINES_MS.keyClaim);
  });

  test('the configuration is frozen', () => {
    const config = readApiConfig(SERVERS);
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(() => config.webhookRetrySeconds.push(1)).toThrow(TypeError);
  });
});
