import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Caller } from './caller.ts';
import type { Journal } from './journal.ts';
import type { Acknowledged, Timeline } from './load/load.ts';
import type { Witness } from './witness.ts';

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;
/**
 * Causes outside the workflow: an event arrived while a task was ending, or the sticky
 * task queue was reset. The task is repeated.
 */
const HARMLESS: ReadonlySet<number> = new Set([
  Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_UPDATE,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE,
]);

const LOST_THREAD = [
  'Invalid transition while handling update response',
  'ProtocolMessageCommand referenced absent message',
  'History is out of order',
];

const PAGE = 1_000;
const READY_WITHIN_MS = 120_000;
const TOLD_WITHIN_MS = 180_000;

/**
 * Waits until both API processes are ready without intervention. Returns the milliseconds. Records
 * a violation after two minutes.
 */
export async function expectReady(origins: readonly string[], journal: Journal): Promise<number> {
  const startedAt = performance.now();
  const isReady = async (origin: string) =>
    fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.ok,
      () => false,
    );
  for (;;) {
    const ready = await Promise.all(origins.map(isReady));
    const tookMs = performance.now() - startedAt;
    if (ready.every(Boolean)) return tookMs;
    if (tookMs > READY_WITHIN_MS) {
      journal.violated('every process is ready again by itself', { origins, ready });
      return tookMs;
    }
    await wait(200);
  }
}

/**
 * Asserts that exactly the acknowledged messages are stored, once, with their sequence and text.
 */
export async function expectStored(
  caller: Caller,
  { conversation, authors }: Timeline,
  journal: Journal,
): Promise<void> {
  const stored = await allMessages(caller, conversation);
  const gap = stored.findIndex(({ sequence }, at) => sequence !== at + 1);
  if (gap !== -1)
    journal.violated('numbers have no gaps and no doubles', {
      conversation,
      around: stored.slice(Math.max(0, gap - 2), gap + 3),
    });
  const expected = authors.flat().sort((a, b) => a.sequence - b.sequence);
  const byId = new Map(stored.map((one) => [one.id, one]));
  const lost = expected.filter(({ id, sequence, text }) => {
    const one = byId.get(id);
    return one?.sequence !== sequence || one.text !== text;
  });
  if (lost.length > 0)
    journal.violated('what is acknowledged is stored as it was answered', {
      conversation,
      lost: lost.slice(0, 5),
      found: lost.slice(0, 5).map(({ id }) => byId.get(id)),
    });
  const known = new Set(expected.map(({ id }) => id));
  const more = stored.filter(({ id }) => !known.has(id));
  if (more.length > 0)
    journal.violated('nothing is stored that was not acknowledged once', {
      conversation,
      more: more.slice(0, 5),
    });
}

async function allMessages(caller: Caller, conversation: string): Promise<Acknowledged[]> {
  const all: Acknowledged[] = [];
  for (;;) {
    const path = `/messages?conversation=${conversation}&sort=id&limit=${PAGE}&id=>${all.at(-1)?.id ?? '0'.repeat(24)}`;
    const { body } = await caller.insist({ method: 'GET', path });
    all.push(...body);
    if (body.length < PAGE) break;
  }
  return all
    .map(({ id, sequence, text }) => ({ id, sequence, text }))
    .sort((a, b) => a.sequence - b.sequence);
}

/**
 * Asserts that a witness (a webhook receiver) received every message of a conversation, with first
 * arrivals in order.
 */
export async function expectTold(
  witness: Witness,
  { conversation, authors }: Timeline,
  journal: Journal,
): Promise<void> {
  const expected = authors.flat().sort((a, b) => a.sequence - b.sequence);
  const deadline = performance.now() + TOLD_WITHIN_MS;
  while (witness.toldOf(conversation).length < expected.length && performance.now() < deadline)
    await wait(100);
  const told = witness.toldOf(conversation);
  const wrong = Math.max(told.length, expected.length);
  for (let at = 0; at < wrong; at += 1) {
    if (told[at]?.id === expected[at]?.id && told[at]?.sequence === expected[at]?.sequence) continue;
    journal.violated('webhooks hear of every message once or more, first in order', {
      ...{ witness: witness.name, conversation, told: told.length, expected: expected.length },
      ...{
        at,
        toldThere: told.slice(Math.max(0, at - 1), at + 3),
        expectedThere: expected.slice(Math.max(0, at - 1), at + 3),
      },
    });
    return;
  }
}

/** Asserts that a deleted conversation and its messages are absent. */
export async function expectAway(caller: Caller, conversation: string, journal: Journal): Promise<void> {
  const { status } = await caller.insist({ method: 'GET', path: `/conversations/${conversation}` });
  const { body } = await caller.insist({ method: 'GET', path: `/messages?conversation=${conversation}` });
  if (status !== 404 || body.length > 0)
    journal.violated('a deleted conversation stays away', { conversation, status, messages: body });
}

/** Checks the histories of workflows. */
export interface Histories {
  /** Asserts that no workflow task of any run failed by a fault of the workflow. */
  expectSound: (workflowId: string) => Promise<void>;
  close: () => Promise<void>;
}

export async function openHistories(address: string, journal: Journal): Promise<Histories> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  return {
    async expectSound(workflowId) {
      for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
        const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
        journal.count('histories read');
        for (const [at, { workflowTaskFailedEventAttributes: failed }] of (events ?? []).entries()) {
          if (!failed) continue;
          const { cause, failure } = failed;
          const goesOn = events?.slice(at).some((event) => event.workflowTaskCompletedEventAttributes);
          if (cause != null && HARMLESS.has(cause)) journal.count('tasks that were overtaken by an event');
          else if (goesOn && isLostThread(failure?.message))
            journal.count('tasks whose thread the SDK had lost');
          else journal.violated('no workflow task fails', { workflowId, runId, cause, failure });
        }
      }
    },
    close: () => connection.close(),
  };
}

/**
 * Returns whether the SDK lost a workflow thread. When an update is delivered again after a task
 * timed out, the SDK can mistake the second delivery for another response to the first
 * (temporalio/sdk-typescript issue 1966) or respond twice (temporalio/sdk-rust issue 888). A task
 * that only delivers an update is not in the history until the task completes. If the server loses
 * the task with its process, the worker is ahead of the history (temporalio/sdk-rust issue 633). In
 * each case the SDK evicts the run and repeats the task from the history. Non-deterministic
 * workflow code would fail on every attempt.
 */
function isLostThread(message: string | null | undefined): boolean {
  return LOST_THREAD.some((words) => message?.includes(words));
}
