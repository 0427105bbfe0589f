import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readApiConfig } from '../platform/config/processes.ts';
import { loadConfig, productVersion } from '../platform/config/load.ts';
import { createLog } from '../platform/config/log.ts';
import { startFault } from '../platform/config/start-fault.ts';
import { CALLERS } from '../platform/http/connections.ts';
import { createBoundedServer } from '../platform/http/server.ts';
import { createWebhookClient } from '../deliveries/http/client.ts';
import type { WebhookClient } from '../deliveries/http/client.ts';
import { requireRightClock, storeNow } from '../store/cluster/clock.ts';
import { workflowSummaries } from '../store/conversations/names.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../store/connection/connect.ts';
import { createExpressionPool } from '../application/expressions/pool.ts';
import { tracedConversations } from '../workflows/client/conversations.ts';
import { createTracer } from '../platform/tracing/tracer.ts';
import { createApp } from './app.ts';
import { createAuthority } from '../application/auth/authority.ts';
import { createSlugEncryption } from '../application/posting/encryption.ts';
import { createStreams } from './streams/streams.ts';
import { rejectExcessRequest, rejectExpectations, formatProtocolError } from './errors.ts';
import { createAdmissionQueue } from './limits/admission-queue.ts';
import { createUploadScheduler } from './files/upload.ts';
import { createFileContents } from '../store/files/contents.ts';
import { createLimit } from './limits/rate-limit.ts';
import { ListConcurrency } from './limits/list-concurrency.ts';
import { createBatchLineQueue, createBatchQueue } from './resources/batch/batch.ts';
import { connectTemporal } from '../workflows/client/connect.ts';
import { bootstrap, tidyOrganizations } from './bootstrap.ts';
import type { MailListener, startMailListener } from './inbound/mail-listener.ts';

/** Part of the shutdown timeout, for the connections to Temporal and the store. */
const CLOSE_MS = 1_000;
const GRACE_MS = 300;

const config = loadConfig(readApiConfig);
const log = createLog({ name: 'api', level: config.logLevel, format: config.logFormat });
const version = productVersion();

try {
  await run();
} catch (error) {
  const fault = isPortInUse(error) ? describePort(error) : startFault(error, config);
  if (fault !== undefined) log.fatal(fault);
  else log.fatal({ err: error }, 'The API could not start.');
  process.exit(1);
}

async function run(): Promise<void> {
  await connectStore(config.mongodbUri).then(requireRightClock);
  const temporal = await connectTemporal(config, {
    summaries: workflowSummaries,
    sealSlug: createSlugEncryption(config.authSecret).encrypt,
    timeoutMs: config.deadlines.workflowRequest,
  });
  // Temporal and MongoDB are reachable. Nothing is written before this line.
  await ensureIndexes();
  const created = await bootstrap(config.bootstrapAdmin);
  process.send?.({ type: 'bootstrap', email: config.bootstrapAdmin.email, created });
  const webhooks = webhookClient();
  const streams = createStreams(log);
  const tracer = await createTracer({ config: config.tracing, service: 'parlance-api', version, log });
  const posting = { config, conversations: tracedConversations(tracer, temporal.conversations) };
  const expressions = createExpressionPool({ log });
  const limit = await createLimit(log, config.deadlines.sharedRequestCount);
  const ending = new AbortController();
  const api = {
    config,
    temporal,
    posting,
    authority: createAuthority(config.authSecret),
    webhooks,
    streams,
    expressions,
    log,
    admissionQueues: {
      events: createAdmissionQueue(),
      expressions: createAdmissionQueue(),
      batches: createBatchQueue(),
      batchLines: createBatchLineQueue(),
    },
    lists: new ListConcurrency(),
    files: await createFileContents(config.files.bucket),
    uploads: createUploadScheduler(),
    ending: ending.signal,
  };
  const server = createHttpServer(createApp(api, { limit, tracer }));
  const mail = await startMail(api);
  await listen(server);
  expressions.warm();
  void tidyOrganizations(log);
  log.info({ host: config.host, port: config.port, publicUrl: config.publicUrl }, 'listening');
  onTermination(log, async () => {
    ending.abort();
    // Load balancers may not have seen /readyz turn 503 yet.
    await wait(config.shutdownDelayMs);
    // Open streams would keep `drain` waiting. Their clients reconnect to another process.
    streams.close();
    await Promise.all([drain(server), mail?.close()]);
    await Promise.all([temporal.close(), webhooks.close(), expressions.close(), limit.leave()]);
    await tracer?.close();
    await disconnectStore();
  });
}

async function startMail(api: Parameters<typeof startMailListener>[0]): Promise<MailListener | null> {
  if (!config.mailListener) return null;
  // Few deployments receive mail.
  const { startMailListener } = await import('./inbound/mail-listener.ts');
  return startMailListener(api, config.mailListener);
}

function webhookClient(): WebhookClient {
  return createWebhookClient({
    timeoutMs: config.webhookTimeoutMs,
    allowedNetworks: config.webhookAllowedNetworks,
    version,
    now: storeNow,
  });
}

function createHttpServer(app: ReturnType<typeof createApp>): Server {
  const handle = app.callback();
  const server = createBoundedServer({
    handle: (req, res) => void handle(req, res),
    rejectExcessRequest,
    lastWords: formatProtocolError,
    // All clients behind a proxy share its address.
    bounds: config.trustedProxies !== 0 ? { ...CALLERS, connectionsOfAddress: Infinity } : CALLERS,
  });
  rejectExpectations(server);
  return server;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
}

/** Resolves at the last response, or at the timeout. */
function drain(server: Server): Promise<void> {
  server.prependListener('request', (_, res) => res.setHeader('Connection', 'close'));
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), config.shutdownTimeoutMs - CLOSE_MS);
    // A request may be on its way over a connection that looks idle.
    let closeIdle = setTimeout(() => {
      closeIdle = setInterval(() => server.closeIdleConnections(), 50);
    }, GRACE_MS);
    // The HTTP server's own `close` resets idle connections at once.
    TcpServer.prototype.close.call(server, () => {
      clearTimeout(giveUp);
      clearInterval(closeIdle);
      resolve();
    });
  });
}

function onTermination(log: Logger, finish: () => Promise<void>): void {
  let ending = false;
  const end = (reason: string) => {
    if (ending) return;
    ending = true;
    log.info({ reason }, 'ending');
    finish().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'failed while ending');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal));
  process.on('disconnect', () => end('the supervisor is gone'));
}

function isPortInUse(error: unknown): error is Error & { port?: unknown } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function describePort({ port = config.port }: { port?: unknown }): string {
  const mailPort = config.mailListener?.port;
  return mailPort !== undefined && port === mailPort
    ? `Port ${mailPort} (MAIL_PORT) is in use.`
    : `Port ${config.port} (PORT) is in use.`;
}
