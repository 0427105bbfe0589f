import { createHash } from 'node:crypto';
import { WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection, Workflow } from '@temporalio/client';
import { DomainError, pausedByOperator, preconditionFailed, unavailable } from '../../domain/errors.ts';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import type { Post, PostResult, PostedMessage, Refusal } from '../../domain/messages/post.ts';
import {
  AMEND_UPDATE,
  CONVERSATION_WORKFLOW,
  EDIT_UPDATE,
  ERASED_UPDATE,
  ERASURE_WORKFLOW,
  POST_UPDATE,
  REFRESH_UPDATE,
  REMOVE_UPDATE,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
  conversationWorkflowId,
  erasureWorkflowId,
} from '../contract.ts';
import type {
  AmendInput,
  ChangeResult,
  ConversationInput,
  EditInput,
  ErasureInput,
  ErasureResult,
  PostBatch,
  RemoveInput,
} from '../contract.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';
import { createGroupCommit } from './group-commit.ts';
import { FAILED_PRECONDITION, NOT_FOUND, getGrpcCode, retryUntil } from './retry-until.ts';

const MAX_RUNNING = 50_000;

export interface PostOutcome {
  posted: PostedMessage[];
  created: boolean;
}

/**
 * Each method resolves when the change is stored, or rejects with the DomainError of a refusal,
 * `precondition_failed`, `unavailable` at the deadline, or `paused`.
 */
export interface Conversations {
  post: (conversation: string, post: Post) => Promise<PostOutcome>;
  amend: (conversation: string, input: AmendInput) => Promise<boolean>;
  edit: (conversation: string, input: EditInput) => Promise<boolean>;
  /** Also cancels a delayed message. Returns whether the message exists. */
  remove: (conversation: string, input: RemoveInput) => Promise<boolean>;
  /** Starts the workflow if it is gone, and makes it do what is due. `id`: of this request. */
  refresh: (conversation: string, id: string) => Promise<boolean>;
  /** Returns whether the conversation existed. */
  erase: (input: ErasureInput) => Promise<boolean>;
}

export interface ConversationsDeps {
  /** Called only before an update that may start a workflow (spec 11.2). */
  summaries: {
    /** Needs `seed` if the conversation may not be stored yet. */
    conversation: (id: string, seed?: NewConversation) => Promise<string | undefined>;
    erasure: (conversation: string) => Promise<string>;
  };
  /** Temporal stores slugs only encrypted (spec 11.3). */
  sealSlug: (slug: string) => string;
  /** Of each method. */
  timeoutMs: number;
}

interface TemporalConnection {
  client: Client;
  connection: Connection;
}

export function createConversations(
  temporal: TemporalConnection,
  { summaries, sealSlug, timeoutMs }: ConversationsDeps,
): Conversations {
  const update = createUpdates(temporal);
  const conversationTarget = (id: string, seed?: NewConversation) =>
    buildTarget({
      workflow: CONVERSATION_WORKFLOW,
      workflowId: conversationWorkflowId(id),
      input: { id },
      summarize: () => summaries.conversation(id, seed),
    });

  const grouped = createGroupCommit((conversation, posts, deadline) => {
    const target = conversationTarget(conversation, posts[0]?.create);
    const sent = { ...target, name: POST_UPDATE, updateId: batchId(conversation, posts), deadline };
    return update<PostBatch, PostResult[]>({ ...sent, input: { posts } });
  }, timeoutMs);

  async function change(conversation: string, name: string, input: { id: string }): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    const sent = { ...conversationTarget(conversation), name, updateId: input.id, input, deadline };
    const result = await update<unknown, ChangeResult>(sent);
    if (result.refused) throw toDomainError(result.refused);
    if (result.changed) throw preconditionFailed();
    return result.done;
  }

  async function erase(input: ErasureInput): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    const target = buildTarget({
      workflow: ERASURE_WORKFLOW,
      workflowId: erasureWorkflowId(input.conversation),
      input,
      summarize: () => summaries.erasure(input.conversation),
    });
    const sent = { ...target, name: ERASED_UPDATE, updateId: input.id, input: null, deadline };
    for (;;) {
      const result = await update<null, ErasureResult>(sent);
      if (result !== 'changed') return result;
      if (input.ifVersion !== undefined) throw preconditionFailed();
      // This update joined another caller's erasure, which required another version: try again.
      if (performance.now() > deadline) throw unavailable();
    }
  }

  return {
    async post(conversation, post) {
      const { create } = post;
      const sealed = create ? { ...post, create: { ...create, slug: sealSlug(create.slug) } } : post;
      const result = await grouped(conversation, sealed);
      if ('refused' in result) throw toDomainError(result.refused);
      return { posted: result.posted, created: result.created ?? false };
    },
    amend: (conversation, input) => change(conversation, AMEND_UPDATE, input),
    edit: (conversation, input) => change(conversation, EDIT_UPDATE, input),
    remove: (conversation, input) => change(conversation, REMOVE_UPDATE, input),
    refresh: (conversation, id) => change(conversation, REFRESH_UPDATE, { id }),
    erase,
  };
}

interface WorkflowTarget {
  workflowId: string;
  /** Creates an operation for a single use. */
  start: () => Promise<WithStartWorkflowOperation<Workflow>>;
}

function buildTarget(target: {
  workflow: string;
  workflowId: string;
  input: ConversationInput | ErasureInput;
  summarize: () => Promise<string | undefined>;
}): WorkflowTarget {
  const { workflow, workflowId, input, summarize } = target;
  const start = async () => {
    const staticSummary = await summarize();
    return new WithStartWorkflowOperation(workflow, {
      workflowId,
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      ...(staticSummary && { staticSummary }),
      args: [input],
    });
  };
  return { workflowId, start };
}

/** Returns an id that is equal for a retry of the posts. */
function batchId(conversation: string, posts: Post[]): string {
  const ids = posts.flatMap(({ messages, amendId = [] }) =>
    messages.length > 0 ? messages.map(({ id }) => id) : amendId,
  );
  const [first = conversation] = ids;
  if (ids.length <= 1 && posts.length === 1) return first;
  const digest = createHash('sha256').update(ids.join()).digest('base64url').slice(0, 12);
  return `${first}+${ids.length}-${digest}`;
}

function toDomainError({ code, message, ...extras }: Refusal): DomainError {
  return new DomainError(code, message, extras);
}

interface Update<A> extends WorkflowTarget {
  name: string;
  updateId: string;
  input: A;
  /** A time of `performance.now()`. */
  deadline: number;
}

function createUpdates({ client, connection }: TemporalConnection) {
  const running = lruMap<string, true>(MAX_RUNNING);

  // Update-with-start costs the server a fifth more than an update.
  async function attempt<A, R>({ workflowId, start, name, updateId, input }: Update<A>): Promise<R> {
    const sent = { args: [input] as [A], updateId };
    if (running.peek(workflowId)) {
      try {
        return await client.workflow.getHandle(workflowId).executeUpdate<R, [A]>(name, sent);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        running.delete(workflowId);
      }
    }
    const startWorkflowOperation = await start();
    const withStart = { ...sent, startWorkflowOperation };
    const answer = await client.workflow.executeUpdateWithStart<Workflow, R, [A]>(name, withStart);
    running.set(workflowId, true);
    return answer;
  }

  // FAILED_PRECONDITION has other causes than a pause.
  async function rejectPaused(workflowId: string, error: unknown): Promise<never> {
    if (getGrpcCode(error) !== FAILED_PRECONDITION) throw error;
    const { status } = await client.workflow.getHandle(workflowId).describe();
    throw status.name === 'PAUSED' ? pausedByOperator() : error;
  }

  return function update<A, R>(sent: Update<A>): Promise<R> {
    return retryUntil(
      (withinMs) =>
        connection.withDeadline(Date.now() + withinMs, () =>
          attempt<A, R>(sent).catch((error: unknown) => rejectPaused(sent.workflowId, error)),
        ),
      sent.deadline,
    );
  };
}

/**
 * Returns a repeatable function that terminates a conversation's workflow and removes the histories
 * of its runs (spec 5.8).
 */
export function createEraseHistories({
  client,
  connection,
}: TemporalConnection): (conversation: string) => Promise<void> {
  const { namespace } = client.options;
  return async (conversation) => {
    const workflowId = conversationWorkflowId(conversation);
    // Terminate by workflow id, because the list of runs may lag.
    await unlessGone(client.workflow.getHandle(workflowId).terminate('The conversation was deleted.'));
    const runIds = new Set<string>();
    for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
      runIds.add(runId);
    }
    for (const runId of runIds) {
      const workflowExecution = { workflowId, runId };
      await unlessGone(connection.workflowService.deleteWorkflowExecution({ namespace, workflowExecution }));
    }
  };
}

async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError) && getGrpcCode(error) !== NOT_FOUND) throw error;
  }
}

export function tracedConversations(tracer: Tracer | undefined, conversations: Conversations): Conversations {
  if (!tracer) return conversations;
  return {
    ...conversations,
    async post(conversation, post) {
      const { caller, messages } = post;
      const { trace: parent } = caller;
      if (parent === undefined) return conversations.post(conversation, post);
      const facts = { 'parlance.conversation': conversation, 'parlance.messages': messages.length };
      const from = { kind: 'client', parents: [parent], facts } as const;
      return tracer.during('post to conversation', from, ([span]) => {
        const trace = span?.traceparent ?? parent;
        return conversations.post(conversation, { ...post, caller: { ...caller, trace } });
      });
    },
  };
}
