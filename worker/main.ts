import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { createActivities } from '../activities/index.ts';
import { loadConfig } from '../config/load.ts';
import { readWorkerConfig } from '../config/worker.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../store/connect.ts';
import { createConversations } from '../posting/conversations.ts';
import { createEraseHistories } from '../posting/histories.ts';
import { connectClient, connectionOptions } from '../posting/temporal-client.ts';
import { TASK_QUEUE } from '../workflows/contract.ts';
import { createActivityDeps } from './deps.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { startDeliveries } from './start-deliveries.ts';
import { temporalLogger } from './temporal-logs.ts';
import { startWatch } from './watch.ts';

/**
 * The worker process: runs workflows and activities until it is told to stop (SIGTERM, SIGINT, or its supervisor is gone), then
 * finishes what it has in hand.
 */
const config = loadConfig(readWorkerConfig);
const log = pino({ name: 'worker', level: config.logLevel });
const identity = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;

try {
  await run(config, log);
  process.exit(0);
} catch (error) {
  log.fatal({ err: error }, 'the worker cannot run');
  process.exit(1);
}

async function run(config: WorkerConfig, log: Logger): Promise<void> {
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
  await connectStore(config.mongodbUri);
  await ensureIndexes();
  const connection = await NativeConnection.connect(connectionOptions(config));
  await registerSearchAttributes(connection, config.temporalNamespace);
  const temporal = await connectClient(config);
  const conversations = createConversations(temporal.client, temporal.connection);
  const eraseHistories = createEraseHistories(temporal);
  const deps = createActivityDeps(config, { identity, log, conversations, eraseHistories });
  const worker = await createWorker(connection, { config, activities: createActivities(deps) });
  const watch = await startWatch(identity, { deps, log });
  deps.expressions.warm();
  stopWhenTold(worker, log);
  await startDeliveries(temporal.client, config.deliveryShards);
  log.info({ identity }, 'worker ready');
  await worker.run();
  await watch.end();
  await Promise.all([connection.close(), temporal.connection.close(), deps.expressions.close()]);
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
    // A task stuck to a killed worker is taken over after a second instead of ten (design: recovery).
    stickyQueueScheduleToStartTimeout: '1s',
    maxCachedWorkflows: 2_000,
    maxConcurrentActivityTaskExecutions: 200,
    maxConcurrentLocalActivityExecutions: 200,
    // The clock of a task runs from the moment it is taken. After a crash all conversations are replayed by one thread: few at a time are
    // done in time, all at once would time out together and begin again, for ever.
    maxConcurrentWorkflowTaskExecutions: 12,
    // A drain's heartbeats go out often enough that a busy machine is not taken for a dead one within the five seconds.
    maxHeartbeatThrottleInterval: '1500ms',
    // Drains end when they are told; what is left after that is cut off.
    shutdownGraceTime: '2s',
    shutdownForceTime: '8s',
  });
}

function stopWhenTold(worker: Worker, log: Logger): void {
  const stop = (why: string) => {
    if (worker.getState() !== 'RUNNING') return;
    log.info({ why }, 'worker stops');
    worker.shutdown();
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (process.connected) process.on('disconnect', () => stop('its supervisor is gone'));
}
