import type { Person } from '../../domain/channels/identity.ts';
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

export interface PostingContext {
  principal: Principal;
  ids: IdGenerator;
  receivedAt: string;
  origin: Caller['origin'];
  deps: PostingDeps;
  /** The post has arrived by a channel from the contact. */
  fromChannel?: true;
  /** The id that the files of a chat had before its conversation existed. */
  pendingFiles?: string;
}

/** The conversation may not be stored yet. */
export interface Posting extends PostingContext {
  place: ConversationRef;
  /** The contact of an upsert, which may not be stored yet. */
  person?: Person | undefined;
}

/** A post that passed all checks except those against stored state. */
export interface PreparedPost {
  place: ConversationRef;
  post: Post;
  /** Stores the post. Nothing is stored earlier. */
  send: () => Promise<SentPost>;
}

/** `posted` has the results of `drafts` in the same order. */
export interface SentPost extends PostOutcome {
  conversation: string;
  drafts: MessageDraft[];
  /** Values of the contact that an upsert replaced. */
  replaced?: Replaced[];
  hints?: string[];
}

/** A value of the contact that an upsert replaces (spec 5.7). */
export interface Replaced {
  path: string;
  was: unknown;
}
