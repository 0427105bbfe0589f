import type { Logger } from 'pino';
import { finishCommits } from '../activities/write-rows.ts';
import type { WriteRowsDeps } from '../activities/write-rows.ts';
import type { WebhookClient } from '../deliveries/http/client.ts';
import type { Cooldown } from '../platform/concurrency/cooldown.ts';
import { periodicTask, recoveryTask } from '../platform/concurrency/recovery-task.ts';
import type { RecoveryTask } from '../platform/concurrency/recovery-task.ts';
import type { RepeatingTask } from '../platform/concurrency/repeating-task.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { findLost, forgetWorker, reportAlive } from '../store/cluster/processes.ts';
import type { WorkerDocument } from '../store/cluster/processes.ts';
import type { Overdue } from '../store/conversations/find-messages.ts';
import { removeUnusedBodies } from '../store/delivery/deliveries.ts';
import { removeExcessDeliveries } from '../store/delivery/kept-deliveries.ts';
import { claimVerification, noteVerification } from '../store/delivery/service-health.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { findUnfinishedEvents } from '../store/records/find-events.ts';
import type { Events } from '../workflows/client/business-events.ts';
import type { Conversations } from '../workflows/client/conversations.ts';
import { OverdueSweeper } from './overdue-sweeper.ts';

const LOST_AFTER_MS = 10_000;
/** Commits are searched this long before and after the lost worker's last report. */
const COMMITS_MARGIN_MS = 30_000;
/** A worker runs an event that is unfinished after this time. */
const UNFINISHED_MS = 30_000;
const MAX_EVENTS = 50;
/** Longer than a verification takes. After this time another worker may take over. */
const VERIFICATION_LEASE_MS = 120_000;
const MAX_VERIFICATIONS = 20;
const NO_ID = '0'.repeat(24);

export interface RecoveryDeps extends WriteRowsDeps {
  identity: string;
  conversations: Pick<Conversations, 'edit'>;
  events: Pick<Events, 'start'>;
  webhooks: Pick<WebhookClient, 'verifyWebhook'>;
  startDeliveries: (shard: number) => Promise<void>;
  log: Logger;
}

/**
 * Starts the recovery tasks of a worker, except the tasks of delivery shards, which `Dispatcher`
 * runs. Resolves when all delivery workflows run.
 */
export async function startRecovery(deps: RecoveryDeps): Promise<{ stop(): Promise<void> }> {
  const { identity, deliveryShards, startDeliveries } = deps;
  const shards = Array.from({ length: deliveryShards }, (_, shard) => shard);
  await reportAlive(identity, storeDate());
  await Promise.all(shards.map(startDeliveries));
  const tasks = createTasks(deps, shards);
  for (const task of tasks) task.start();
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
      await forgetWorker(identity);
    },
  };
}

function createTasks(deps: RecoveryDeps, shards: readonly number[]): RepeatingTask[] {
  const { conversations, events, startDeliveries, log } = deps;
  const create = <T>(task: RecoveryTask<T>) => recoveryTask(task, log);
  const sweeper = new OverdueSweeper(log);
  return [
    create({
      name: 'finish the commits of lost workers',
      everyMs: 2_000,
      find: () => reportAndFindLost(deps.identity),
      key: ({ _id }) => _id,
      recover: (lost) => finishCommitsOf(lost, deps),
    }),
    create({
      name: 'wake conversations with overdue messages',
      everyMs: 1_000,
      find: (woken) => sweeper.sweep(woken),
      key: ({ conversation }) => conversation,
      // Fails if the conversation is paused or the server is busy. A later sweep tries again.
      recover: (overdue) => wake(conversations, overdue),
      cooldownMs: 5_000,
      // A slow wake-up does not block the sweep.
      maxWaitMs: 2_000,
      hasMore: () => sweeper.hasMore,
    }),
    create({
      // The API process of these events may have crashed (spec 8.2).
      name: 'run unfinished events',
      everyMs: 5_000,
      find: (started) => findLeftEvents(started, log),
      key: (id) => id,
      recover: (id) => events.start(id),
      // A running workflow retries by itself.
      cooldownMs: 60_000,
    }),
    create({
      // The process that was verifying these webhooks may have crashed.
      name: 'verify webhooks',
      everyMs: 10_000,
      find: claimVerifications,
      key: ({ _id }) => _id,
      recover: (service) => verify(service, deps.webhooks),
    }),
    create({
      // An operator may have ended delivery workflows.
      name: 'start delivery workflows',
      everyMs: 15_000,
      find: () => Promise.resolve(shards),
      key: String,
      recover: startDeliveries,
    }),
    periodicTask(
      { name: 'remove old deliveries', everyMs: 600_000, run: () => removeOldDeliveries(log) },
      log,
    ),
  ];
}

async function reportAndFindLost(identity: string): Promise<WorkerDocument[]> {
  const now = storeNow();
  await reportAlive(identity, new Date(now));
  return findLost(new Date(now - LOST_AFTER_MS));
}

async function finishCommitsOf({ _id, seenAt }: WorkerDocument, deps: RecoveryDeps): Promise<void> {
  const seen = seenAt.getTime();
  const { looked, passedBy } = await finishCommits(deps, {
    from: new Date(seen - COMMITS_MARGIN_MS),
    to: new Date(seen + COMMITS_MARGIN_MS),
  });
  await forgetWorker(_id);
  deps.log.info({ worker: _id, commits: looked, passedBy }, 'finished the commits of a lost worker');
}

// An edit of an unknown message only starts the workflow. The stable id prevents a second edit.
async function wake(
  conversations: RecoveryDeps['conversations'],
  { id, conversation }: Overdue,
): Promise<void> {
  const caller = { user: NO_ID, role: 'admin', origin: 'message' } as const;
  await conversations.edit(conversation, { id: `wake-${id}`, message: NO_ID, caller, edit: {} });
}

async function findLeftEvents(started: Cooldown, log: Logger): Promise<string[]> {
  const before = new Date(storeNow() - UNFINISHED_MS);
  const found = await findUnfinishedEvents({ before, limit: MAX_EVENTS + started.size() });
  const left = found.filter((id) => !started.has(id)).slice(0, MAX_EVENTS);
  if (left.length > 0) log.info({ events: left.length }, 'running events that were left unfinished');
  return left;
}

async function claimVerifications(): Promise<ServiceDocument[]> {
  const claimed: ServiceDocument[] = [];
  while (claimed.length < MAX_VERIFICATIONS) {
    const service = await claimVerification(VERIFICATION_LEASE_MS);
    if (!service) break;
    claimed.push(service);
  }
  return claimed;
}

async function verify(service: ServiceDocument, webhooks: RecoveryDeps['webhooks']): Promise<void> {
  const verification = await webhooks.verifyWebhook(service.params.url);
  await noteVerification(service, verification.verified ? null : verification.reason);
}

/** Returns whether more may be removed. */
async function removeOldDeliveries(log: Logger): Promise<boolean> {
  const removed = await removeExcessDeliveries();
  if (removed > 0) log.info({ removed }, 'removed deliveries of services that are not active');
  return removeUnusedBodies(storeDate());
}
