import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PostResult } from '../domain/messages/post.ts';
import {
  emptyDelayedMessageCache,
  forContinueAsNew,
  createRecentMessages,
} from '../domain/conversations/cached-messages.ts';
import type { ConversationCache } from './commit.ts';
import { AMEND_UPDATE, CONTINUING_FAILURE, EDIT_UPDATE, POST_UPDATE, REMOVE_UPDATE } from './contract.ts';
import type {
  AmendInput,
  ChangeResult,
  ConversationInput,
  EditInput,
  PostBatch,
  RemoveInput,
} from './contract.ts';
import { createOperatorView } from './operators.ts';
import type { OperatorView } from './operators.ts';
import { amend, edit, post, processDue, remove } from './requests.ts';

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
  view.show(run.known);

  const most = input.updatesPerRun ?? UPDATES_PER_RUN;
  const isRunFull = () => run.updates >= most || workflowInfo().continueAsNewSuggested;
  while (!isFinished(run) && !isRunFull()) {
    const next = findNextStep(run, view);
    const due = await waitUntilDue(
      next,
      () => isFinished(run) || isRunFull() || findNextStep(run, view).at !== next.at,
    );
    if (due) await inTurn(() => processDue(run.known).finally(() => view.show(run.known)));
  }
  if (isFinished(run)) return;
  run.continuing = true;
  await condition(allHandlersFinished);
  const { state, recent, facts } = run.known;
  const carried = state ? { state, recent: forContinueAsNew(recent), facts } : undefined;
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

function findNextStep(
  { known }: WorkflowRun,
  view: OperatorView,
): { at: string | undefined; summary: string } {
  const [dueAt, shownUntil] = [known.state?.pending[0]?.dueAt, view.validUntil()];
  return shownUntil !== undefined && (dueAt === undefined || shownUntil < dueAt)
    ? { at: shownUntil, summary: 'until a bot may speak again' }
    : { at: dueAt, summary: 'next delayed message' };
}

/** Returns false if `moved` returns true before the time `at`. */
async function waitUntilDue(
  { at, summary }: { at: string | undefined; summary: string },
  moved: () => boolean,
): Promise<boolean> {
  if (at === undefined) {
    await condition(moved);
    return false;
  }
  const waitMs = Date.parse(at) - Date.now();
  if (waitMs <= 0) return true;
  return !(await condition(moved, waitMs, { summary }));
}
