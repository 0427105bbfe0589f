import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker, DefaultLogger } from '@temporalio/worker';
import type { WorkerOptions, LogLevel } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities, tracedActivities } from '../activities/index.ts';
import { DEADLINES_MS } from '../platform/config/deadlines.ts';
import { loadConfig, productVersion } from '../platform/config/load.ts';
import { createLog } from '../platform/config/log.ts';
import { startFault } from '../platform/config/start-fault.ts';
import { MAX_CACHED_WORKFLOWS, readWorkerConfig } from '../platform/config/processes.ts';
import type { WorkerConfig } from '../platform/config/processes.ts';
import { requireRightClock, storeNow } from '../store/cluster/clock.ts';
import { workflowSummaries } from '../store/conversations/names.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../store/connection/connect.ts';
import { createFileContents } from '../store/files/contents.ts';
import { createEvents } from '../workflows/client/business-events.ts';
import type { Events } from '../workflows/client/business-events.ts';
import {
  createConversations,
  createEraseHistories,
  tracedConversations,
} from '../workflows/client/conversations.ts';
import { createEncryption, createSlugEncryption } from '../application/posting/encryption.ts';
import type { Conversations } from '../workflows/client/conversations.ts';
import { connectClient, connectionOptions, serverAnswers } from '../workflows/client/connect.ts';
import { createTracer } from '../platform/tracing/tracer.ts';
import { MAILBOX_TASK_QUEUE, TASK_QUEUE, TIMER_TASK_QUEUE } from '../workflows/contract.ts';
import { createWaitMetrics, startProbes } from './probes.ts';
import type { WaitMetrics } from './probes.ts';
import { registerSearchAttributes } from '../workflows/client/search-attributes.ts';
import { startDeliveryWorkflow } from '../workflows/client/delivery-workflows.ts';
import { startMailboxWorkflow } from '../workflows/client/mailbox-workflows.ts';
import { shutdownGraceMs, attemptGraceMs } from './shutdown.ts';
import { skipEmptySinkCalls } from '../platform/patches/empty-sink-calls.ts';
import { startPatchedThreads } from '../platform/patches/start-patched-threads.ts';
import { startRecovery } from './recovery.ts';
import { createTimerEvents } from './timer-events.ts';
import { Dispatcher } from '../deliveries/dispatcher.ts';
import { MailboxReader } from '../deliveries/mail/mailbox-reader.ts';
import type { ActivityDeps } from '../activities/index.ts';
import { createAuthority } from '../application/auth/authority.ts';
import { createExpressionPool } from '../application/expressions/pool.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';
import { createWebhookClient, tracedWebhooks } from '../deliveries/http/client.ts';

/**
 * Many polls: persisting a task that no poller waits for costs the server as much as the message
 * itself. Few executions: after a crash one thread replays all conversations, while the taken
 * tasks' timeouts run (docs/decisions/workflow-threads.md).
 */
const TASKS_AT_ONCE = {
  maxConcurrentWorkflowTaskExecutions: 32,
  maxConcurrentWorkflowTaskPolls: 16,
};

/** Not scaled: an activity that posts must end before its timeout. */
const REQUEST_MS = DEADLINES_MS.workflowRequest;

/** Bounds the load of due timers: thousands may be due in the same minute (spec 14.4). */
const TIMERS_AT_ONCE = 2;

/** Mailboxes that a worker looks after. They share few connections (`MailboxReader`). */
const MAX_MAILBOXES = 1_000;

/**
 * The worker runs until SIGTERM, SIGINT or the end of the supervisor, then completes running work.
 */
const config = loadConfig(readWorkerConfig);
const log = createLog({ name: 'worker', level: config.logLevel, format: config.logFormat });
// Requests are small and the server is near: compression costs more than it saves.
const UNCOMPRESSED = { grpcCompression: { codec: 'none' } } as const;
const identity = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;

try {
  await run(config, log);
  process.exit(0);
} catch (error) {
  const fault = startFault(error, config);
  if (fault === undefined) log.fatal({ err: error }, 'the worker cannot run');
  else log.fatal(fault);
  process.exit(1);
}

async function run(config: WorkerConfig, log: Logger): Promise<void> {
  startPatchedThreads();
  skipEmptySinkCalls();
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
  await connectStore(config.mongodbUri).then(requireRightClock);
  const connection = await NativeConnection.connect({ ...connectionOptions(config), ...UNCOMPRESSED });
  const temporal = await connectClient(config);
  // Change nothing before both servers are connected.
  await ensureIndexes();
  const searchAttributes = await registerSearchAttributes(connection, {
    namespace: config.temporalNamespace,
    log,
  });
  const conversations = createConversations(temporal, {
    summaries: workflowSummaries,
    sealSlug: createSlugEncryption(config.authSecret).encrypt,
    timeoutMs: REQUEST_MS,
  });
  const eraseHistories = createEraseHistories(temporal);
  const service = { service: 'parlance-worker' as const, version: productVersion() };
  const tracer = await createTracer({ config: config.tracing, ...service, log });
  const waits = createWaitMetrics();
  const events = createEvents(temporal.client, temporal.connection, REQUEST_MS);
  const files = await createFileContents(config.files.bucket);
  const shared = { log, conversations, eraseHistories, tracer, searchAttributes, waits, events, files };
  const deps = createActivityDeps(config, shared);
  const activities = tracedActivities(tracer, createActivities(deps));
  const worker = await createWorker(connection, { config, activities });
  const timerWorker = await createTimerWorker(connection, { config, activities });
  const mailboxWorker = await createMailboxWorker(connection, { config, activities });
  const workers = [worker, timerWorker, mailboxWorker];
  const at = config.probes;
  const timeoutMs = config.deadlines.readiness;
  const temporalAnswers = (timeoutMs: number) => serverAnswers(temporal.connection, timeoutMs);
  const endProbes = at && (await startProbes({ at, worker, waits, temporalAnswers, timeoutMs }));
  stopOnSignal(workers, log);
  const recovery = await startRecovery({
    ...deps,
    identity,
    log,
    conversations,
    events,
    startDeliveries: (shard) => startDeliveryWorkflow(temporal.client, shard),
    startMailbox: (id) => startMailboxWorkflow(temporal, id),
    mailboxPollMs: config.mailboxPollMs,
  });
  log.info({ identity }, 'worker ready');
  await Promise.all(workers.map((one) => one.run()));
  await recovery.stop();
  await deps.timerEvents.close();
  endProbes?.();
  await Promise.all([connection.close(), temporal.connection.close(), deps.expressions.close()]);
  await tracer?.close();
  await disconnectStore();
}

interface WorkerParts {
  config: WorkerConfig;
  activities: ReturnType<typeof createActivities>;
}

function createWorker(connection: NativeConnection, { config, activities }: WorkerParts): Promise<Worker> {
  return Worker.create({
    ...commonOptions(connection, config),
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: fileURLToPath(new URL('../workflow-bundle.js', import.meta.url)) },
    activities,
    // Another worker gets the tasks of a killed worker after one second instead of ten.
    stickyQueueScheduleToStartTimeout: '1s',
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    maxConcurrentActivityTaskExecutions: 200,
    maxConcurrentLocalActivityExecutions: 200,
    ...TASKS_AT_ONCE,
    // Half of the polls serve the queue of all workers, where new conversations wait.
    nonStickyToStickyPollRatio: 0.5,
    // A busy machine must not miss the heartbeat timeout of five seconds.
    maxHeartbeatThrottleInterval: '1500ms',
    ...versioning(config.version),
  });
}

/** Creates the worker of the activity `awaitTimer`, which is the same in all worker versions. */
function createTimerWorker(
  connection: NativeConnection,
  { config, activities: { awaitTimer } }: WorkerParts,
): Promise<Worker> {
  return Worker.create({
    ...commonOptions(connection, config),
    taskQueue: TIMER_TASK_QUEUE,
    activities: { awaitTimer },
    maxConcurrentActivityTaskExecutions: TIMERS_AT_ONCE,
    maxConcurrentActivityTaskPolls: TIMERS_AT_ONCE,
  });
}

/** Creates the worker of the activity `readMailbox`, which is the same in all worker versions. */
function createMailboxWorker(
  connection: NativeConnection,
  { config, activities: { readMailbox } }: WorkerParts,
): Promise<Worker> {
  return Worker.create({
    ...commonOptions(connection, config),
    taskQueue: MAILBOX_TASK_QUEUE,
    activities: { readMailbox },
    maxConcurrentActivityTaskExecutions: MAX_MAILBOXES,
    maxConcurrentActivityTaskPolls: 2,
    // Half of the heartbeat timeout: a machine may stall.
    maxHeartbeatThrottleInterval: '10s',
  });
}

function commonOptions(connection: NativeConnection, { temporalNamespace, shutdownTimeoutMs }: WorkerConfig) {
  return {
    connection,
    identity,
    namespace: temporalNamespace,
    // Activities are cancelled after the grace time. All work is aborted after the force time.
    shutdownGraceTime: shutdownGraceMs(shutdownTimeoutMs),
    shutdownForceTime: shutdownTimeoutMs,
  };
}

// Conversations run for years: pinning them would keep old builds alive
// (docs/decisions/worker-versions.md).
function versioning(version: WorkerConfig['version']): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  return version
    ? {
        workerDeploymentOptions: {
          version,
          useWorkerVersioning: true,
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      }
    : {};
}

function stopOnSignal(workers: Worker[], log: Logger): void {
  const stop = (why: string) => {
    const running = workers.filter((worker) => worker.getState() === 'RUNNING');
    if (running.length > 0) log.info({ why }, 'worker stops');
    for (const worker of running) worker.shutdown();
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (process.connected) process.on('disconnect', () => stop('its supervisor is gone'));
}

/**
 * Logs the SDK's reports of normal operation at level debug. The SDK warns of workers without
 * workflows, as the workers of timers and mailboxes are.
 */
function temporalLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => {
    const isExpected = level === 'INFO' || message.startsWith('No workflows registered');
    const isRoutine = isExpected && meta?.['sdkComponent'] === 'worker';
    log[isRoutine ? 'debug' : (level.toLowerCase() as Lowercase<LogLevel>)](meta ?? {}, message);
  });
}

interface Shared extends Pick<ActivityDeps, 'eraseHistories' | 'searchAttributes' | 'files'> {
  log: Logger;
  conversations: Conversations;
  tracer: Tracer | undefined;
  waits: WaitMetrics;
  events: Events;
}

function createActivityDeps(
  config: WorkerConfig,
  { log, conversations, eraseHistories, tracer, searchAttributes, waits, events, files }: Shared,
) {
  const { publicUrl, deliveryShards, webhookRetrySeconds } = config;
  const webhooks = tracedWebhooks(
    tracer,
    createWebhookClient({
      timeoutMs: config.webhookTimeoutMs,
      allowedNetworks: config.webhookAllowedNetworks,
      version: productVersion(),
      now: storeNow,
    }),
  );
  const authority = createAuthority(config.authSecret);
  const posting = { config, conversations: tracedConversations(tracer, conversations) };
  const secrets = createEncryption(config.authSecret);
  const dispatcher = new Dispatcher({
    ...{ identity, log, publicUrl, deliveryShards, webhookRetrySeconds, webhooks, authority, posting },
    ...{ secrets, files, quotaBytes: config.files.quotaBytes, mailDomain: config.mailDomain },
    attemptGraceMs: attemptGraceMs(config),
  });
  const mailboxes = new MailboxReader({
    ...{ log, files, publicUrl, deliveryShards, webhooks, secrets },
    ...{ quotaBytes: config.files.quotaBytes, pollMs: config.mailboxPollMs },
  });
  const expressions = createExpressionPool({ log });
  const slugs = createSlugEncryption(config.authSecret);
  const { ownMail } = config;
  const accountMail = { log, jwt: authority.jwt, publicUrl, ownMail, webhooks, secrets, slugs };
  const timerEvents = createTimerEvents({ posting, expressions, publicUrl, events, log });
  return {
    ...{ log, eraseHistories, searchAttributes, authority, posting, publicUrl, deliveryShards, webhooks },
    slugs,
    accountMail,
    secrets,
    files,
    observeWait: waits.observe,
    expressions,
    dispatcher,
    mailboxes,
    notifyDeliveries: dispatcher.notify,
    timerEvents,
    runTimerEvent: timerEvents.run,
  };
}
