import type { Tracer } from '../../platform/tracing/tracer.ts';
import type { Conversations } from './conversations.ts';

/**
 * Conversations whose posts are spans of the traces that they belong to: from handing a post to the
 * workflow until it is stored. What follows from the post follows from that span.
 */
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
