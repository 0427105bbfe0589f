import type { Amended, Effect } from './change.ts';
import type { ConversationState } from './conversation.ts';
import { profileEffects } from '../effects/contact-effects.ts';
import type { Profile } from '../effects/contact-effects.ts';
import { effectChangesValue } from './evolve.ts';
import type { Post } from '../messages/post.ts';
import { notFound } from '../refusal.ts';

interface UpsertContext {
  /** ISO 8601 UTC. */
  now: string;
  /**
   * The contact's profile as it is, where somebody has looked: what is so already is then not
   * changed once more.
   */
  profile?: Profile | undefined;
  /** The post makes the conversation. */
  isNew: boolean;
}

/**
 * What an upsert does to the conversation that it meets and to its contact, besides its messages
 * (spec 5.7): one change, which is told once. Nothing where all is so already, and for other posts.
 * Throws DomainError `not_found` where the conversation is not the contact's, `unprocessable` for
 * an address with too many fields.
 */
export function upsertChange(
  state: ConversationState,
  post: Post,
  { now, profile, isNew }: UpsertContext,
): Amended | undefined {
  const { reopen, amends, madeContact } = post;
  const queues = reopen && state.status === 'closed' && !isNew;
  const effects: Effect[] = [
    ...(amends ? ownerEffects(state, post) : []),
    ...(queues ? [{ kind: 'status', status: 'queued' } as const] : []),
    ...(isNew ? [] : (amends ?? []).filter((effect) => effectChangesValue(state, effect))),
    ...(isNew && madeContact ? [] : profileEffects(profile, post.profile ?? {})),
  ];
  if (effects.length === 0) return undefined;
  const id = `${post.messages[0]?.id ?? state.id}-upserted`;
  return { kind: 'amended', id, at: now, by: post.caller.user, effects };
}

// A contact belongs to its conversation from the moment that it says so; where a worker was stopped
// right then, the rest follows here.
function ownerEffects({ contact }: ConversationState, { create }: Post): Effect[] {
  const owner = create?.contact;
  if (owner === undefined || contact === owner) return [];
  if (contact !== undefined) throw notFound('The conversation of the contact');
  return [{ kind: 'owner', contact: owner }];
}
