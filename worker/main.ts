import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker, DefaultLogger } from '@temporalio/worker';
import type { WorkerOptions, LogLevel } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities, tracedActivities } from '../activities/index.ts';
import { loadConfig, productVersion } from '../platform/config/load.ts';
import { createLog } from '../platform/config/log.ts';
import { startFault } from '../platform/config/start-fault.ts';
import { MAX_CACHED_WORKFLOWS, readWorkerConfig } from '../platform/config/processes.ts';
import type { WorkerConfig } from '../platform/config/processes.ts';
import { requireRightClock, storeNow } from '../store/cluster/clock.ts';
import { workflowSummaries } from '../store/conversations/names.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../store/connection/connect.ts';
import { createEvents } from '../workflows/client/business-events.ts';
import {
  createConversations,
  createEraseHistories,
  tracedConversations,
} from '../workflows/client/conversations.ts';
import { createSlugEncryption } from '../application/posting/encryption.ts';
import type { Conversations } from '../workflows/client/conversations.ts';
import { connectClient, connectionOptions, serverAnswers } from '../workflows/client/connect.ts';
import { createTracer } from '../platform/tracing/tracer.ts';
import { TASK_QUEUE } from '../workflows/contract.ts';
import { startProbes } from './probes.ts';
import { registerSearchAttributes } from '../workflows/client/search-attributes.ts';
import { startDeliveryWorkflow } from '../workflows/client/delivery-workflows.ts';
import { shutdownGraceMs, attemptGraceMs } from './shutdown.ts';
import { skipEmptySinkCalls } from '../platform/patches/empty-sink-calls.ts';
import { startPatchedThreads } from '../platform/patches/start-patched-threads.ts';
import { startRecovery } from './recovery.ts';
import { Dispatcher } from '../deliveries/dispatcher.ts';
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

/**
 * The worker runs until SIGTERM, SIGINT or the end of the supervisor, then completes running work.
 */
const config = loadConfig(readWorkerConfig);
const log = createLog({ name: 'worker', level: config.logLevel });
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
  });
  const eraseHistories = createEraseHistories(temporal);
  const service = { service: 'parlance-worker' as const, version: productVersion() };
  const tracer = await createTracer({ config: config.tracing, ...service, log });
  const shared = { log, conversations, eraseHistories, tracer, searchAttributes };
  const deps = createActivityDeps(config, shared);
  const activities = tracedActivities(tracer, createActivities(deps));
  const worker = await createWorker(connection, { config, activities });
  const at = config.probes;
  const temporalAnswers = (timeoutMs: number) => serverAnswers(temporal.connection, timeoutMs);
  const endProbes = at && (await startProbes({ at, worker, temporalAnswers }));
  stopOnSignal(worker, log);
  const recovery = await startRecovery({
    ...deps,
    identity,
    log,
    conversations,
    events: createEvents(temporal.client, temporal.connection),
    startDeliveries: (shard) => startDeliveryWorkflow(temporal.client, shard),
  });
  log.info({ identity }, 'worker ready');
  await worker.run();
  await recovery.stop();
  endProbes?.();
  await Promise.all([connection.close(), temporal.connection.close(), deps.expressions.close()]);
  await tracer?.close();
  await disconnectStore();
}

function createWorker(
  connection: NativeConnection,
  { config, activities }: { config: WorkerConfig; activities: ReturnType<typeof createActivities> },
): Promise<Worker> {
  return Worker.create({
    connection,
    identity,
    namespace: config.temporalNamespace,
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
    // Activities are cancelled after the grace time. All work is aborted after the force time.
    shutdownGraceTime: shutdownGraceMs(config.shutdownTimeoutMs),
    shutdownForceTime: config.shutdownTimeoutMs,
  });
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

function stopOnSignal(worker: Worker, log: Logger): void {
  const stop = (why: string) => {
    if (worker.getState() !== 'RUNNING') return;
    log.info({ why }, 'worker stops');
    worker.shutdown();
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (process.connected) process.on('disconnect', () => stop('its supervisor is gone'));
}

function temporalLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) =>
    log[level.toLowerCase() as Lowercase<LogLevel>](meta ?? {}, message),
  );
}

interface Shared extends Pick<ActivityDeps, 'eraseHistories' | 'searchAttributes'> {
  log: Logger;
  conversations: Conversations;
  tracer: Tracer | undefined;
}

function createActivityDeps(
  config: WorkerConfig,
  { log, conversations, eraseHistories, tracer, searchAttributes }: Shared,
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
  const dispatcher = new Dispatcher({
    ...{ identity, log, publicUrl, deliveryShards, webhookRetrySeconds, webhooks, authority, posting },
    attemptGraceMs: attemptGraceMs(config),
  });
  return {
    ...{ log, eraseHistories, searchAttributes, authority, posting, publicUrl, deliveryShards, webhooks },
    slugs: createSlugEncryption(config.authSecret),
    expressions: createExpressionPool({ log }),
    dispatcher,
    notifyDeliveries: dispatcher.notify,
  };
}
