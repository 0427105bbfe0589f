import type { createConversationActivities } from '../../activities/conversation.ts';
import { lruMap } from '../../concurrency/lru-map.ts';
import { decideBatch } from '../../domain/conversations/decide-batch.ts';
import type { Standing } from '../../domain/conversations/decide-batch.ts';
import { recentOf, remember, storedBy } from '../../domain/conversations/recent-messages.ts';
import type { Post, PostResult, Refusal } from '../../domain/messages/post.ts';
import type { Conversations } from '../../temporal/conversations.ts';
import { groupCommit } from '../../temporal/group-commit.ts';

const PATIENCE_MS = 20_000;
const AT_HAND = 2_000;

interface DirectDeps {
  workflows: Conversations;
  activities: Pick<Activities, 'load' | 'persist'>;
  /** What the API answers with a refusal. */
  refusal: (refused: Refusal) => Error;
}

type Activities = ReturnType<typeof createConversationActivities>;

/**
 * Conversations whose plain posts are decided and stored by this process, without a task of their
 * workflow: the rules and the activity are the workflow's own, and the version of a conversation
 * keeps two writers apart. What makes a conversation or has a delay goes to the workflow.
 */
export function directConversations({ workflows, activities, refusal }: DirectDeps): Conversations {
  const atHand = lruMap<string, Standing>(AT_HAND);

  async function standingOf(id: string): Promise<Standing> {
    return atHand.get(id) ?? adopt(id, await activities.load({ id }));
  }

  function adopt(id: string, result: Awaited<ReturnType<typeof activities.load>>): Standing {
    const { state } = result;
    const recent = recentOf(state ? result.recent : []);
    const standing = { state, recent, deleted: !state && result.deleted };
    if (state) atHand.set(id, standing);
    return standing;
  }

  async function decideAndStore(id: string, posts: Post[]): Promise<PostResult[]> {
    let standing = await standingOf(id);
    for (;;) {
      const now = timeOf(standing);
      const { base, changes, state, results } = decideBatch(standing, posts, { now });
      if (changes.length === 0 || !base || !state) return results;
      const stored = await activities.persist({ base, changes });
      if (stored.outcome === 'stored') {
        remember(standing.recent, storedBy(changes));
        atHand.set(id, { ...standing, state: { ...state, version: base.version + 1 } });
        return results;
      }
      standing = adopt(id, stored);
    }
  }

  // One batch of a conversation at a time, in order of arrival.
  const grouped = groupCommit(decideAndStore, PATIENCE_MS);

  return {
    ...workflows,
    async post(conversation, post) {
      if (!isPlain(post)) return workflows.post(conversation, post);
      const result = await grouped(conversation, post);
      if ('refused' in result) throw refusal(result.refused);
      return { posted: result.posted, created: result.created ?? false };
    },
  };
}

function isPlain({ create, amends, messages }: Post): boolean {
  return !create && !amends && messages.every(({ delay }) => !delay);
}

function timeOf({ state }: Standing): string {
  const time = new Date().toISOString();
  return state && state.updatedAt > time ? state.updatedAt : time;
}
