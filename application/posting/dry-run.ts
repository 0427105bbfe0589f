import { decidePost } from '../../domain/conversations/decide.ts';
import type { Post } from '../../domain/messages/post.ts';

/**
 * Throws the DomainError that a new conversation would refuse the post with, before anything is
 * stored for it: the rules are the same, and a conversation that does not exist has no state to ask
 * for.
 */
export function dryRun(post: Post, now: string): void {
  decidePost(null, post, { now, findKnown: () => undefined });
}
