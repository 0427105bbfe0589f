import { Client, Connection } from '@temporalio/client';
import { PING_QUERY, deliveryWorkflowId } from '../../workflows/contract.ts';
import { createConversations } from './conversations.ts';
import type { Conversations } from './conversations.ts';

/** Temporal, as far as the API needs it. */
export interface Temporal {
  conversations: Conversations;
  /** Whether the server answers within `timeoutMs`. */
  serverAnswers: (timeoutMs: number) => Promise<boolean>;
  /** Whether a worker answers within `timeoutMs`. */
  workerAnswers: (timeoutMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

/** Connects to a Temporal server; rejects when none answers within ten seconds. A server that restarts later is found again within a second. */
export async function connectTemporal(options: { address: string; namespace: string }): Promise<Temporal> {
  const connection = await Connection.connect({
    address: options.address,
    connectTimeout: '10s',
    // Retries are ours (insist.ts).
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  const client = new Client({ connection, namespace: options.namespace });

  function answers(timeoutMs: number, ask: () => Promise<unknown>): Promise<boolean> {
    return connection.withDeadline(Date.now() + timeoutMs, ask).then(
      () => true,
      () => false,
    );
  }

  return {
    conversations: createConversations(client, connection),
    serverAnswers: (timeoutMs) => answers(timeoutMs, () => connection.workflowService.getSystemInfo({})),
    workerAnswers: (timeoutMs) =>
      answers(timeoutMs, () => client.workflow.getHandle(deliveryWorkflowId(0)).query(PING_QUERY)),
    close: () => connection.close(),
  };
}
