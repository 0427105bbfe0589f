import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineUpdate,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PostResult } from '../domain/messages/post.ts';
import {
  emptyDelayedMessageCache,
  forContinueAsNew,
  createRecentMessages,
} from '../domain/conversations/cached-messages.ts';
import { getNextTimer } from './commit.ts';
import type { ConversationCache } from './commit.ts';
import {
  AMEND_UPDATE,
  CONTINUING_FAILURE,
  EDIT_UPDATE,
  POST_UPDATE,
  REFRESH_UPDATE,
  REMOVE_UPDATE,
  TIMER_TASK_QUEUE,
} from './contract.ts';
import type {
  Activities,
  AmendInput,
  ChangeResult,
  ConversationInput,
  EditInput,
  PostBatch,
  RemoveInput,
} from './contract.ts';
import { createOperatorView } from './operators.ts';
import type { OperatorView } from './operators.ts';
import { amend, edit, post, processStep, refresh, remove } from './requests.ts';

// After a crash, a run must replay within one workflow task. Replaying 100 updates takes a tenth of
// a second.
const UPDATES_PER_RUN = 100;

interface WorkflowRun {
  known: ConversationCache;
  updates: number;
  continuing: boolean;
}

/**
 * Runs one conversation as the only writer of its state. Ends when the conversation is not stored,
 * or is closed with nothing pending; an update starts the workflow again.
 */
export async function conversation(input: ConversationInput): Promise<void> {
  const run: WorkflowRun = { known: createCache(input), updates: 0, continuing: false };
  const inTurn = createTurns();
  const view = createOperatorView();
  const createHandler =
    <In, Out>(work: (known: ConversationCache, input: In) => Promise<Out>) =>
    (input: In): Promise<Out> => {
      run.updates += 1;
      return inTurn(() => work(run.known, input).finally(() => view.show(run.known))).catch(asFailure);
    };
  const options = { validator: (..._: unknown[]) => assertNotContinuing(run) };
  setHandler(defineUpdate<PostResult[], [PostBatch]>(POST_UPDATE), createHandler(post), options);
  setHandler(defineUpdate<ChangeResult, [AmendInput]>(AMEND_UPDATE), createHandler(amend), options);
  setHandler(defineUpdate<ChangeResult, [EditInput]>(EDIT_UPDATE), createHandler(edit), options);
  setHandler(defineUpdate<ChangeResult, [RemoveInput]>(REMOVE_UPDATE), createHandler(remove), options);
  setHandler(defineUpdate<ChangeResult, [{ id: string }]>(REFRESH_UPDATE), createHandler(refresh), options);
  view.show(run.known);

  const most = input.updatesPerRun ?? UPDATES_PER_RUN;
  const isRunFull = () => run.updates >= most || workflowInfo().continueAsNewSuggested;
  const alarm = createAlarm(run.known);
  const findNext = () => findNextStep(run, view, alarm);
  while (!isFinished(run) && !isRunFull()) {
    const next = findNext();
    alarm.set();
    const due = await waitUntilDue(
      next,
      () => isFinished(run) || isRunFull() || next.at !== findNext().at || alarm.isOutdated(),
    );
    if (due) await inTurn(() => processStep(run.known).finally(() => view.show(run.known)));
  }
  if (isFinished(run)) return;
  run.continuing = true;
  await condition(allHandlersFinished);
  const { state, recent, facts, timers, undelivered } = run.known;
  const carried = state ? { state, recent: forContinueAsNew(recent), facts, timers, undelivered } : undefined;
  await continueAsNew<typeof conversation>({ ...input, carried });
}

function createCache({ id, carried: before }: ConversationInput): ConversationCache {
  return {
    id,
    state: before?.state ?? null,
    recent: createRecentMessages(before?.recent ?? []),
    loaded: before !== undefined,
    conditional: [],
    held: emptyDelayedMessageCache(),
    deleted: false,
    named: false,
    facts: before?.facts,
    undelivered: before?.undelivered,
    timers: before?.timers ?? { timers: [] },
  };
}

/**
 * Runs turns in order of arrival, in one scope that cannot be cancelled: in a cancellable scope,
 * the SDK keeps a listener for every activity until the run ends.
 */
function createTurns() {
  const scope = new CancellationScope({ cancellable: false });
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => scope.run(work));
    last = turn.catch(() => undefined);
    return turn;
  };
}

// A TypeError would fail the workflow task forever.
function asFailure(error: unknown): never {
  if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
  throw ApplicationFailure.nonRetryable('The request could not be understood.', 'Malformed');
}

// New handlers would keep a run from ending. The client retries, and the next run takes the update.
function assertNotContinuing({ continuing }: WorkflowRun): void {
  if (!continuing) return;
  throw ApplicationFailure.nonRetryable('The conversation is about to continue as new.', CONTINUING_FAILURE);
}

function isFinished({ known: { loaded, state } }: WorkflowRun): boolean {
  const over = !state || (state.status === 'closed' && state.pending.length === 0);
  return loaded && over && allHandlersFinished();
}

interface Step {
  /** ISO 8601, or undefined without a step. */
  at: string | undefined;
  summary: string;
}

function findNextStep({ known }: WorkflowRun, view: OperatorView, alarm: Alarm): Step {
  const steps: Step[] = [
    { at: known.state?.pending[0]?.dueAt, summary: 'next delayed message' },
    { at: view.validUntil(), summary: 'until a bot may speak again' },
    { at: known.state?.snoozedUntil, summary: 'until the conversation wakes' },
    { at: alarm.rungFor(), summary: 'next timer' },
  ];
  return steps.reduce((next, one) => (isEarlier(one.at, next.at) ? one : next));
}

function isEarlier(at: string | undefined, than: string | undefined): boolean {
  return at !== undefined && (than === undefined || at < than);
}

// Retried until it succeeds: an attempt fails while the timer is not due. The long interval keeps
// conversations that operators paused from taking all slots of the workers.
const timerActivities = (organization: string) =>
  proxyActivities<Pick<Activities, 'awaitTimer'>>({
    taskQueue: TIMER_TASK_QUEUE,
    startToCloseTimeout: '60s',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '200ms', maximumInterval: '60s' },
    priority: { fairnessKey: organization },
    summary: 'next timer',
  });

interface Alarm {
  /** Does nothing if an earlier alarm is set. */
  set: () => void;
  /** Whether the next timer needs an earlier alarm. */
  isOutdated: () => boolean;
  /** Returns the time of the next timer if its alarm has rung. */
  rungFor: () => string | undefined;
}

/**
 * Waits for timers by an activity (docs/decisions/timers.md). An alarm stays set if the next timer
 * moves to a later time: every message would cancel and start an activity.
 */
function createAlarm(known: ConversationCache): Alarm {
  let current: { at: string; scope: CancellationScope } | undefined;
  let rung = '';
  const isOutdated = () => {
    const next = getNextTimer(known)?.at;
    return next !== undefined && next > rung && isEarlier(next, current?.at);
  };
  return {
    isOutdated,
    set() {
      const at = getNextTimer(known)?.at;
      if (at === undefined || !known.state || !isOutdated()) return;
      current?.scope.cancel();
      const alarm = { at, scope: new CancellationScope() };
      current = alarm;
      const { awaitTimer } = timerActivities(known.state.organization);
      const ring = async () => {
        await awaitTimer({ conversation: known.id, at });
        rung = at;
      };
      const end = () => {
        if (current === alarm) current = undefined;
      };
      void alarm.scope.run(ring).then(end, end);
    },
    rungFor() {
      const at = getNextTimer(known)?.at;
      return at !== undefined && at <= rung ? at : undefined;
    },
  };
}

/** Returns false if `moved` returns true before the time `at`. */
async function waitUntilDue({ at, summary }: Step, moved: () => boolean): Promise<boolean> {
  if (at === undefined) {
    await condition(moved);
    return false;
  }
  const waitMs = Date.parse(at) - Date.now();
  if (waitMs <= 0) return true;
  return !(await condition(moved, waitMs, { summary }));
}
