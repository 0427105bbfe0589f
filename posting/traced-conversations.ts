import type { Tracer } from '../tracing/tracer.ts';
import type { Conversations } from './conversations.ts';

/**
 * Conversations whose posts are spans of the traces that they belong to: from handing a post to the workflow until it is stored. What follows
 * from the post follows from that span.
 */
export function tracedConversations(tracer: Tracer | undefined, conversations: Conversations): Conversations {
  if (!tracer) return conversations;
  return {
    ...conversations,
    async post(conversation, post) {
      const { caller, messages } = post;
      if (caller.trace === undefined) return conversations.post(conversation, post);
      const facts = { 'parlance.conversation': conversation, 'parlance.messages': messages.length };
      const span = tracer.begin('post to conversation', { kind: 'client', parent: caller.trace, facts });
      const trace = span.traceparent ?? caller.trace;
      let failed = true;
      try {
        const outcome = await conversations.post(conversation, { ...post, caller: { ...caller, trace } });
        failed = false;
        return outcome;
      } finally {
        span.end({ failed });
      }
    },
  };
}
