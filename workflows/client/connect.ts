import { PING_QUERY, deliveryWorkflowId } from '../contract.ts';
import type { TemporalConfig } from '../../platform/config/temporal.ts';
import { createConversations } from './conversations.ts';
import type { Conversations, ConversationsDeps } from './conversations.ts';
import { createEvents } from './business-events.ts';
import type { Events } from './business-events.ts';
import { connectClient } from './client.ts';
import { isReachableWithin, serverAnswers } from './health.ts';

/** Temporal, as far as the API needs it. */
export interface Temporal {
  conversations: Conversations;
  events: Events;
  /** Whether the server answers within `timeoutMs`. */
  serverAnswers: (timeoutMs: number) => Promise<boolean>;
  /** Whether a worker answers within `timeoutMs`. */
  workerAnswers: (timeoutMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

/**
 * Connects to a Temporal server; rejects when none answers within ten seconds. A server that
 * restarts later is found again within a second.
 */
export async function connectTemporal(
  config: TemporalConfig & { temporalNamespace: string },
  deps: ConversationsDeps,
): Promise<Temporal> {
  const { client, connection } = await connectClient(config);

  return {
    conversations: createConversations({ client, connection }, deps),
    events: createEvents(client, connection),
    serverAnswers: (timeoutMs) => serverAnswers(connection, timeoutMs),
    workerAnswers: (timeoutMs) =>
      isReachableWithin(connection, timeoutMs, () =>
        client.workflow.getHandle(deliveryWorkflowId(0)).query(PING_QUERY),
      ),
    close: () => connection.close(),
  };
}
