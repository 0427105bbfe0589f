import { createHash } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Client, Connection, Workflow } from '@temporalio/client';
import { DomainError } from '../domain/errors.ts';
import type { Post, PostResult, Posted, Refusal } from '../domain/post.ts';
import {
  AMEND_UPDATE,
  CANCEL_UPDATE,
  CONVERSATION_WORKFLOW,
  POST_UPDATE,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
  conversationWorkflowId,
} from '../workflows/contract.ts';
import type {
  AmendInput,
  CancelInput,
  ChangeResult,
  ConversationInput,
  PostBatch,
} from '../workflows/contract.ts';
import { groupCommit } from './group-commit.ts';
import { insist } from './insist.ts';

const PATIENCE_MS = 20_000;

/** What became of a post: one answer per message, in order. */
export interface PostOutcome {
  posted: Posted[];
  /** The conversation was made by this very post. */
  created: boolean;
}

/**
 * The conversations' workflows, as the API sees them. Everything resolves only when it is stored, and rejects with the DomainError the
 * rules refuse it with, or with `unavailable` after 20 seconds.
 */
export interface Conversations {
  post: (conversation: string, post: Post) => Promise<PostOutcome>;
  /** Answers whether there was anything to change. */
  amend: (conversation: string, input: AmendInput) => Promise<boolean>;
  /** Answers whether the message was still waiting. */
  cancel: (conversation: string, input: CancelInput) => Promise<boolean>;
}

interface Update<A> {
  conversation: string;
  name: string;
  updateId: string;
  input: A;
  deadline: number;
}

export function createConversations(client: Client, connection: Connection): Conversations {
  function update<A, R>({ conversation, name, updateId, input, deadline }: Update<A>): Promise<R> {
    return insist(
      (attemptDeadline) =>
        connection.withDeadline(attemptDeadline, () =>
          client.workflow.executeUpdateWithStart<Workflow, R, [A]>(name, {
            args: [input],
            updateId,
            startWorkflowOperation: startOf(conversation),
          }),
        ),
      deadline,
    );
  }

  const grouped = groupCommit((conversation, posts, deadline) => {
    const input: PostBatch = { posts };
    const updateId = batchId(conversation, posts);
    return update<PostBatch, PostResult[]>({ conversation, name: POST_UPDATE, updateId, input, deadline });
  }, PATIENCE_MS);

  async function change<A>(given: Omit<Update<A>, 'deadline'>): Promise<boolean> {
    const result = await update<A, ChangeResult>({ ...given, deadline: Date.now() + PATIENCE_MS });
    if (result.refused) throw refusal(result.refused);
    return result.done;
  }

  return {
    async post(conversation, post) {
      const result = await grouped(conversation, post);
      if ('refused' in result) throw refusal(result.refused);
      return { posted: result.posted, created: result.created ?? false };
    },
    amend: (conversation, input) => change({ conversation, name: AMEND_UPDATE, updateId: input.id, input }),
    cancel: (conversation, input) =>
      change({ conversation, name: CANCEL_UPDATE, updateId: `cancel:${input.id}`, input }),
  };
}

function startOf(id: string) {
  const input: ConversationInput = { id };
  return new WithStartWorkflowOperation(CONVERSATION_WORKFLOW, {
    workflowId: conversationWorkflowId(id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    args: [input],
  });
}

/** The same posts always have the same id, and different posts never, so that a retry is recognised and nothing else is taken for one. */
function batchId(conversation: string, posts: Post[]): string {
  const ids = posts.flatMap(({ messages }) => messages.map(({ id }) => id));
  const [first = conversation] = ids;
  if (ids.length <= 1 && posts.length === 1) return first;
  const digest = createHash('sha256').update(ids.join()).digest('base64url').slice(0, 12);
  return `${first}+${ids.length}-${digest}`;
}

function refusal({ code, message, ...extras }: Refusal): DomainError {
  return new DomainError(code, message, extras);
}
