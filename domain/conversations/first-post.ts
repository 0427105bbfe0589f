import { assertNoBotLoop, classifyMessage, countLoop } from './bot-loop.ts';
import { assertBoundedGrowth } from './bounds.ts';
import { newConversation } from './conversation.ts';
import { applyEffects } from './evolve.ts';
import { withinMessage } from '../errors.ts';
import { messageEffects } from '../effects/message-effects.ts';
import { findDueTime } from '../messages/due-time.ts';
import type { Post } from '../messages/post.ts';

export type FirstPost = Post & Required<Pick<Post, 'create'>>;

/**
 * Throws the DomainError with which `decidePost` would refuse to create the conversation. A request
 * is checked before its contact is stored.
 */
export function assertAcceptableFirstPost({ caller, create, messages }: FirstPost, now: string): void {
  let state = newConversation(create);
  assertBoundedGrowth(null, state);
  const externalIds = new Set<string>();
  for (const [at, draft] of messages.entries()) {
    const { externalId } = draft;
    // A repeated external id adds no second message.
    if (externalId !== undefined && externalIds.has(externalId)) continue;
    if (externalId !== undefined) externalIds.add(externalId);
    withinMessage(at, messages.length, () => {
      const counted = classifyMessage(caller, draft);
      assertNoBotLoop(state.loops, counted, Date.parse(now));
      const after = applyEffects(state, messageEffects(state, { caller, draft }));
      assertBoundedGrowth(state, after);
      // The effects of a delayed message apply when it is due.
      state = {
        ...(findDueTime(draft) === undefined ? after : state),
        loops: countLoop(state.loops, counted, Date.parse(now)),
      };
    });
  }
}
