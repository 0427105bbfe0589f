import type { Logger } from 'pino';
import { finishCommits } from '../activities/write-rows.ts';
import type { WriteRowsDeps } from '../activities/write-rows.ts';
import { finishMerge } from '../application/posting/merge-contacts.ts';
import { findFurtherFailures, reportFurtherFailures } from '../application/business-events/report-failure.ts';
import { verifyService } from '../deliveries/channels/verify.ts';
import type { VerifyDeps } from '../deliveries/channels/verify.ts';
import type { Cooldown } from '../platform/concurrency/cooldown.ts';
import { periodicTask, recoveryTask } from '../platform/concurrency/recovery-task.ts';
import type { RecoveryTask } from '../platform/concurrency/recovery-task.ts';
import type { RepeatingTask } from '../platform/concurrency/repeating-task.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { findLost, forgetWorker, reportAlive } from '../store/cluster/processes.ts';
import type { WorkerDocument } from '../store/cluster/processes.ts';
import { findOverdue } from '../store/conversations/find-messages.ts';
import type { Overdue } from '../store/conversations/find-messages.ts';
import { findSleeping, recomputeWakeTimes } from '../store/conversations/wake-times.ts';
import { recomputeCategoryIndexes } from '../store/conversations/category-indexes.ts';
import { findUnfinishedMerges } from '../store/conversations/contact-merges.ts';
import { removeUnusedBodies } from '../store/delivery/deliveries.ts';
import { removeExcessDeliveries } from '../store/delivery/kept-deliveries.ts';
import { findForsakenMailboxes } from '../store/delivery/mailboxes.ts';
import { claimVerification } from '../store/delivery/service-health.ts';
import { hasAddress } from '../store/delivery/services.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import type { FileContents } from '../store/files/contents.ts';
import { removeExpiredFiles } from '../store/files/removal.ts';
import { findUnfinishedEvents } from '../store/records/find-events.ts';
import type { UnfinishedSearch } from '../store/records/find-events.ts';
import { claimListChange, endListChange, extendListChange } from '../store/records/list-changes.ts';
import type { ListChange, ListMark } from '../store/records/list-changes.ts';
import type { Events } from '../workflows/client/business-events.ts';
import type { Conversations } from '../workflows/client/conversations.ts';
import { departuresTask } from './departures.ts';
import { OverdueProgress, OverdueSweeper } from './overdue-sweeper.ts';
import type { OverdueSource } from './overdue-sweeper.ts';

const LOST_AFTER_MS = 10_000;
/** Commits are searched this long before and after the lost worker's last report. */
const COMMITS_MARGIN_MS = 30_000;
/** A worker takes over an event or a merge that is unfinished after this time. */
const UNFINISHED_MS = 30_000;
const MAX_EVENTS = 50;
/** Timers that are due in the same minute take turns. Waking them would add load. */
const TIMERS_TOO_LATE_MS = 900_000;
const SLEEPING: OverdueSource = { find: findSleeping, tooLateMs: TIMERS_TOO_LATE_MS };
/** Longer than the event of a timer takes. */
const TIMERS_BUSY_MS = 30_000;
const MAX_MERGES = 20;
const MAX_FAILURES = 20;
/** Longer than a verification takes. After this time another worker may take over. */
const VERIFICATION_LEASE_MS = 120_000;
const MAX_VERIFICATIONS = 20;
/** Longer than a worker takes to find out that another worker has crashed. */
const FORSAKEN_MS = 30_000;

export interface RecoveryDeps extends WriteRowsDeps {
  identity: string;
  conversations: Pick<Conversations, 'amend' | 'refresh'>;
  events: Pick<Events, 'start'>;
  webhooks: VerifyDeps['webhooks'];
  secrets: VerifyDeps['secrets'];
  startDeliveries: (shard: number) => Promise<void>;
  startMailbox: (service: string) => Promise<void>;
  mailboxPollMs: number;
  files: FileContents;
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
  const { startDeliveries, log } = deps;
  const create = <T>(task: RecoveryTask<T>) => recoveryTask(task, log);
  return [
    create({
      name: 'finish the commits of lost workers',
      everyMs: 2_000,
      find: () => reportAndFindLost(deps.identity),
      key: ({ _id }) => _id,
      recover: (lost) => finishCommitsOf(lost, deps),
    }),
    create(
      wakingTask('wake conversations with overdue messages', deps, { find: findOverdue, tooLateMs: 10_000 }),
    ),
    create(wakingTask('wake conversations with due timers', deps, SLEEPING)),
    create(followTask('follow changed timers', 'retimeAt', recomputeWakeTimes)),
    create(followTask('follow changed categories', 'reindexAt', recomputeCategoryIndexes)),
    ...createEventTasks(deps),
    create({
      // The API process of these merges may have crashed (spec 4.7).
      name: 'finish merges of contacts',
      everyMs: 5_000,
      find: () => findUnfinishedMerges(new Date(storeNow() - UNFINISHED_MS), MAX_MERGES),
      key: ({ _id }) => _id,
      recover: (contact) => finishMerge(contact, deps),
    }),
    create(departuresTask(deps.conversations)),
    create({
      // The process that was verifying these webhooks may have crashed.
      name: 'verify webhooks',
      everyMs: 10_000,
      find: claimVerifications,
      key: ({ _id }) => _id,
      recover: (service) => verify(service, deps),
    }),
    create({
      // An operator may have ended delivery workflows.
      name: 'start delivery workflows',
      everyMs: 15_000,
      find: () => Promise.resolve(shards),
      key: String,
      recover: startDeliveries,
    }),
    createMailboxTask(deps),
    ...createCleaners(deps),
  ];
}

function createMailboxTask({ startMailbox, mailboxPollMs, log }: RecoveryDeps): RepeatingTask {
  const task: RecoveryTask<string> = {
    // An operator may have ended workflows, or Temporal could not be reached.
    name: 'start to read mailboxes',
    everyMs: 10_000,
    find: () => findForsakenMailboxes(new Date(storeNow() - FORSAKEN_MS - 2 * mailboxPollMs)),
    key: String,
    recover: startMailbox,
    cooldownMs: FORSAKEN_MS,
  };
  return recoveryTask(task, log);
}

function createEventTasks(deps: RecoveryDeps): RepeatingTask[] {
  const runAgain = runEventAgain(deps);
  const create = <T>(task: RecoveryTask<T>) => recoveryTask(task, deps.log);
  return [
    create({
      // The API process of these events may have crashed (spec 8.2).
      name: 'run unfinished events',
      find: (started) => findLate({ ofTimers: false }, started),
      ...runAgain,
    }),
    create({
      // The worker that was running these events may have crashed.
      name: 'run unfinished events of timers',
      find: createStuckEvents(),
      ...runAgain,
    }),
    create({
      // Failures in the minute after a notice (spec 8.3).
      name: 'report further failures of business events',
      everyMs: 10_000,
      find: () => findFurtherFailures(MAX_FAILURES),
      key: ({ _id }) => _id,
      recover: (failures) => reportFurtherFailures(failures, deps),
    }),
  ];
}

function createCleaners({ files, log }: Pick<RecoveryDeps, 'files' | 'log'>): RepeatingTask[] {
  return [
    periodicTask({ name: 'remove unused files', everyMs: 60_000, run: () => removeExpiredFiles(files) }, log),
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

function wakingTask(
  name: string,
  { conversations, log }: RecoveryDeps,
  source: OverdueSource,
): RecoveryTask<Overdue> {
  const sweeper = new OverdueSweeper(source, log);
  return {
    name,
    everyMs: 1_000,
    find: (woken) => sweeper.sweep(woken),
    key: ({ conversation }) => conversation,
    // Fails if the conversation is paused or the server is busy. A later sweep tries again.
    recover: ({ id, conversation }) => conversations.refresh(conversation, `wake-${id}`),
    cooldownMs: 5_000,
    // A slow wake-up does not block the sweep.
    maxWaitMs: 2_000,
    hasMore: () => sweeper.hasMore,
  };
}

/** Conversations at rest follow a changed list by fields that are stored here. */
function followTask(
  name: string,
  mark: ListMark,
  adapt: (organization: string, proceed: () => Promise<boolean>) => Promise<boolean>,
): RecoveryTask<ListChange> {
  return {
    name,
    everyMs: 2_000,
    find: async () => [await claimListChange(mark)].filter((claimed) => claimed !== null),
    key: ({ organization }) => organization,
    async recover(claimed) {
      const held = { claim: claimed };
      const isDone = await adapt(claimed.organization, async () => {
        const claim = await extendListChange(held.claim);
        held.claim = claim ?? held.claim;
        return claim !== null;
      });
      if (isDone) await endListChange(held.claim);
    },
    // A large organization does not block others.
    maxWaitMs: 2_000,
  };
}

function runEventAgain({ events, log }: Pick<RecoveryDeps, 'events' | 'log'>) {
  return {
    everyMs: 5_000,
    key: ({ id }: LateEvent) => id,
    async recover({ id }: LateEvent) {
      log.info({ event: id }, 'running an event that was left unfinished');
      await events.start(id);
    },
    // A running workflow retries by itself.
    cooldownMs: 60_000,
  };
}

interface LateEvent {
  id: string;
  dueAt: Date;
}

async function findLate(
  { ofTimers }: Pick<UnfinishedSearch, 'ofTimers'>,
  started: Cooldown,
): Promise<LateEvent[]> {
  const before = new Date(storeNow() - UNFINISHED_MS);
  const limit = MAX_EVENTS + started.size();
  const found = await findUnfinishedEvents({ ofTimers, before, limit });
  return found
    .filter(({ _id }) => !started.has(_id))
    .slice(0, MAX_EVENTS)
    .map(({ _id, updatedAt }) => ({ id: _id, dueAt: updatedAt }));
}

/** Returns a search for events of timers that no worker runs. A busy worker runs them in turns. */
function createStuckEvents(): (started: Cooldown) => Promise<LateEvent[]> {
  const progress = new OverdueProgress<LateEvent>({
    key: ({ id }) => id,
    tooLateMs: TIMERS_TOO_LATE_MS,
    busyMs: TIMERS_BUSY_MS,
  });
  return async (started) =>
    progress.findStuck(await findLate({ ofTimers: true }, started), storeNow(), started.has);
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

async function verify(service: ServiceDocument, deps: VerifyDeps): Promise<void> {
  if (!hasAddress(service)) return;
  await verifyService(service, deps);
}

/** Returns whether more may be removed. */
async function removeOldDeliveries(log: Logger): Promise<boolean> {
  const removed = await removeExcessDeliveries();
  if (removed > 0) log.info({ removed }, 'removed deliveries of services that are not active');
  return removeUnusedBodies(storeDate());
}
