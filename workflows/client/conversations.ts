import { createHash } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Client, Connection } from '@temporalio/client';
import { DomainError, preconditionFailed, unavailable } from '../../domain/errors.ts';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import type { Post, PostResult, PostedMessage, Refusal } from '../../domain/messages/post.ts';
import {
  AMEND_UPDATE,
  CONVERSATION_WORKFLOW,
  EDIT_UPDATE,
  ERASED_UPDATE,
  ERASURE_WORKFLOW,
  POST_UPDATE,
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
import { createGroupCommit } from './group-commit.ts';
import { createUpdates } from './updates.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';

const TIMEOUT_MS = 20_000;

export interface PostOutcome {
  posted: PostedMessage[];
  /** Whether this post created the conversation. */
  created: boolean;
}

/**
 * Each method resolves when the change is stored. Rejects with the DomainError of a refusal, with
 * `unavailable` after 20 seconds, or with `paused` if an operator paused the workflow.
 */
export interface Conversations {
  post: (conversation: string, post: Post) => Promise<PostOutcome>;
  /**
   * Returns whether anything changed. This and the next three methods reject with
   * `precondition_failed` if their condition fails.
   */
  amend: (conversation: string, input: AmendInput) => Promise<boolean>;
  /** Returns whether the message exists. */
  edit: (conversation: string, input: EditInput) => Promise<boolean>;
  /** Deletes a message or cancels a delayed one. Returns whether the message exists. */
  remove: (conversation: string, input: RemoveInput) => Promise<boolean>;
  /** Returns whether the conversation existed. Once begun, an erasure always completes. */
  erase: (input: ErasureInput) => Promise<boolean>;
}

/** Summaries for operators, computed only when a workflow starts (spec 11.2). */
export interface Summaries {
  /** Needs `seed` if the conversation may not be stored yet. */
  conversation: (id: string, seed?: NewConversation) => Promise<string | undefined>;
  erasure: (conversation: string) => Promise<string>;
}

export interface ConversationsDeps {
  summaries: Summaries;
  /** Workflows and their histories contain slugs only encrypted (spec 11.3). */
  sealSlug: (slug: string) => string;
}

export function createConversations(
  { client, connection }: { client: Client; connection: Connection },
  { summaries, sealSlug }: ConversationsDeps,
): Conversations {
  const update = createUpdates(client, connection);
  const workflowTarget = (id: string, seed?: NewConversation) => ({
    workflowId: conversationWorkflowId(id),
    start: async () => createStartOperation(id, await summaries.conversation(id, seed)),
  });

  const grouped = createGroupCommit((conversation, posts, deadline) => {
    const input: PostBatch = { posts };
    const updateId = batchId(conversation, posts);
    const target = workflowTarget(conversation, posts[0]?.create);
    const sent = { ...target, name: POST_UPDATE, updateId, input, deadline };
    return update<PostBatch, PostResult[]>(sent);
  }, TIMEOUT_MS);

  async function change(conversation: string, name: string, input: { id: string }): Promise<boolean> {
    const deadline = performance.now() + TIMEOUT_MS;
    const sent = { ...workflowTarget(conversation), name, updateId: input.id, input, deadline };
    const result = await update<unknown, ChangeResult>(sent);
    if (result.refused) throw toDomainError(result.refused);
    if (result.changed) throw preconditionFailed();
    return result.done;
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
    erase: (input) => eraseBy(update, input, summaries),
  };
}

async function eraseBy(
  update: ReturnType<typeof createUpdates>,
  input: ErasureInput,
  summaries: Summaries,
): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const result = await update<null, ErasureResult>({
      workflowId: erasureWorkflowId(input.conversation),
      start: async () => createErasureOperation(input, await summaries.erasure(input.conversation)),
      name: ERASED_UPDATE,
      updateId: input.id,
      input: null,
      deadline,
    });
    if (result !== 'changed') return result;
    if (input.ifVersion !== undefined) throw preconditionFailed();
    // A concurrent erasure had a condition that this one does not have.
    if (performance.now() > deadline) throw unavailable();
  }
}

function createStartOperation(id: string, staticSummary: string | undefined) {
  const input: ConversationInput = { id };
  return new WithStartWorkflowOperation(CONVERSATION_WORKFLOW, {
    workflowId: conversationWorkflowId(id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    ...(staticSummary === undefined ? {} : { staticSummary }),
    args: [input],
  });
}

function createErasureOperation(input: ErasureInput, staticSummary: string) {
  return new WithStartWorkflowOperation(ERASURE_WORKFLOW, {
    workflowId: erasureWorkflowId(input.conversation),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    staticSummary,
    args: [input],
  });
}

/** Depends only on the posts, so that a retry is recognised. */
function batchId(conversation: string, posts: Post[]): string {
  const ids = posts.flatMap(({ messages }) => messages.map(({ id }) => id));
  const [first = conversation] = ids;
  if (ids.length <= 1 && posts.length === 1) return first;
  const digest = createHash('sha256').update(ids.join()).digest('base64url').slice(0, 12);
  return `${first}+${ids.length}-${digest}`;
}

function toDomainError({ code, message, ...extras }: Refusal): DomainError {
  return new DomainError(code, message, extras);
}

/** Traces each post until it is stored. Later effects become children of the span. */
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
