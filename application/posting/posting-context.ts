import type { Caller, MessageDraft } from '../../domain/messages/message.ts';
import type { Post } from '../../domain/messages/post.ts';
import type { ProductConfig } from '../../platform/config/processes.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { Conversations, PostOutcome } from '../../workflows/client/conversations.ts';
import type { Principal } from '../auth/principal.ts';
import type { IdGenerator } from './id-generator.ts';

export interface PostingDeps {
  config: Pick<ProductConfig, 'serviceProviders' | 'touchpointCodes' | 'publicUrl' | 'deliveryShards'>;
  conversations: Conversations;
}

/** A request that posts messages. */
export interface PostingContext {
  principal: Principal;
  ids: IdGenerator;
  receivedAt: string;
  origin: Caller['origin'];
  deps: PostingDeps;
}

/** A request that posts messages into one conversation, which may not be stored yet. */
export interface Posting extends PostingContext {
  place: ConversationRef;
}

/** A post that passed all checks except those against a stored state. */
export interface PreparedPost {
  place: ConversationRef;
  post: Post;
  /** Stores the post. Until then the request has stored nothing. */
  send: () => Promise<SentPost>;
}

/** `posted` are the results of `drafts`, in the same order. */
export interface SentPost extends PostOutcome {
  conversation: string;
  drafts: MessageDraft[];
}
