import { classifyMessage, assertNoBotLoop } from './bot-loop.ts';
import { assertBoundedGrowth } from './bounds.ts';
import type { Change, Delayed, Effect, Processed, Amended } from './change.ts';
import type { Caller } from './caller.ts';
import { newConversation } from './conversation.ts';
import type { ConversationState } from './conversation.ts';
import { DomainError, withinPath, notFound } from '../errors.ts';
import { findOwner, profileEffects } from '../effects/contact-effects.ts';
import type { Profile } from '../effects/contact-effects.ts';
import { applyEffects, evolve, effectChangesValue } from './evolve.ts';
import { assertSafeKeys } from '../free-form.ts';
import { pick } from '../record-fields.ts';
import { messageEffects, plainEffects } from '../effects/message-effects.ts';
import type { MessageDraft } from '../messages/message.ts';
import type { Post, PostedMessage, RecentMessage } from '../messages/post.ts';

/** Finds a stored message by id or `externalId`. */
export type FindKnownMessage = (draft: MessageDraft) => RecentMessage | undefined;

/** Decided changes. Nothing takes effect until they are stored. */
export interface Decision {
  changes: Change[];
  state: ConversationState;
}

export interface PostDecision extends Decision {
  posted: PostedMessage[];
  created: boolean;
}

interface DecisionContext {
  now: string;
  findKnown: FindKnownMessage;
  /** Present if it was read: then equal fields are not changed again. */
  profile?: Profile | undefined;
}

interface IncomingPost {
  caller: Caller;
  draft: MessageDraft;
  now: string;
}

/**
 * Decides one post. `state` is null if the conversation is not stored.
 *
 * Throws DomainError to refuse the whole post: `not_found`, `conflict`, `unprocessable`,
 * `invalid_request` or a bot-loop code (spec 5, 6.10).
 */
export function decidePost(
  state: ConversationState | null,
  post: Post,
  { now, findKnown, profile }: DecisionContext,
): PostDecision {
  if (!state && !post.create) throw new DomainError('not_found', 'The conversation does not exist.');
  const decision: PostDecision = {
    changes: [],
    state: state ?? newConversation(requireCreate(post)),
    posted: [],
    // Slugs are random, so an equal stored slug means that an earlier attempt of this request
    // created the conversation. Report it as created again.
    created: !state || state.slug === post.create?.slug,
  };
  if (!state) create(decision, post, now);
  else assertNoSecondCreate(state, post);
  if (!isRetry(post, findKnown)) applyUpsert(decision, post, { now, profile, isNew: !state });
  post.messages.forEach((draft, at) => {
    const before = findKnown(draft) ?? findInSamePost(decision, draft);
    const accept = () => acceptMessage(decision, { caller: post.caller, draft, now });
    decision.posted.push(
      before
        ? { ...toPostedMessage(before), known: true }
        : post.messages.length > 1
          ? withinPath(`messages.${at}`, accept)
          : accept(),
    );
  });
  return decision;
}

/**
 * Processes due messages in order and skips messages that are not pending. Never throws: invalid
 * effects are dropped.
 */
export function decideDue(
  state: ConversationState,
  due: { caller: Caller; message: MessageDraft }[],
  now: string,
): Decision {
  const decision: Decision = { changes: [], state };
  for (const { caller, message } of due) {
    const waits = decision.state.pending.some(({ id }) => id === message.id);
    if (waits) applyChange(decision, buildProcessedWhenDue(decision.state, { caller, draft: message, now }));
  }
  return decision;
}

/**
 * Decides a change without a message. Throws DomainError `unprocessable` or `invalid_request`, and
 * `conflict` for a second contact.
 */
export function decideAmend(
  state: ConversationState,
  { id, by, effects, now }: { id: string; by: string; effects: Effect[]; now: string },
): Decision {
  for (const effect of effects) if (effect.kind === 'replace') assertSafeFields(effect.fields);
  const decision: Decision = { changes: [], state };
  const owner = findOwner(effects);
  if (owner !== undefined && state.contact !== undefined && owner !== state.contact) {
    throw new DomainError('conflict', 'The conversation has a contact already.');
  }
  const telling = effects.filter((effect) => interventionHasEffect(state, effect));
  if (telling.length === 0 && effects.some(isIntervention)) return decision;
  applyChange(decision, { kind: 'amended', id, at: now, by, effects: telling });
  assertBoundedGrowth(state, decision.state);
  return decision;
}

function isIntervention({ kind }: Effect): boolean {
  return kind === 'unblocked' || kind === 'hurried';
}

/**
 * Returns whether an intervention (owner, unblock, process now) changes the state. Assumed for
 * other effects.
 */
function interventionHasEffect(state: ConversationState, effect: Effect): boolean {
  switch (effect.kind) {
    case 'owner':
      return effect.contact !== state.contact;
    case 'unblocked':
      return Object.keys(state.loops).some((bot) => effect.bot === undefined || bot === effect.bot);
    case 'hurried':
      return state.pending.some(({ id }) => effect.message === undefined || id === effect.message);
    default:
      return true;
  }
}

/**
 * Decides a deletion. The returned base is for its events: it keeps the participants, so that the same
 * services are notified, but no messages and contact data (spec 5.8).
 */
export function decideErasure(
  { participants, version, sequence, eventSequence, ...state }: ConversationState,
  { id, caller, now }: { id: string; caller: Caller; now: string },
): { base: ConversationState; changes: Change[] } {
  const kept = pick(state, [
    'id',
    'slug',
    'organization',
    'contact',
    'createdBy',
    'createdAt',
    'type',
    'status',
  ]);
  const base = { ...newConversation(kept), participants, version, sequence, eventSequence };
  return { base, changes: [{ kind: 'erased', id, at: now, caller }] };
}

/** Cancels a delayed message. No-op if the message is not pending. */
export function decideCancel(state: ConversationState, id: string, now: string): Decision {
  const decision: Decision = { changes: [], state };
  if (state.pending.some((waiting) => waiting.id === id))
    applyChange(decision, { kind: 'cancelled', id, at: now });
  return decision;
}

function requireCreate(post: Post) {
  if (!post.create) throw new DomainError('not_found', 'The conversation does not exist.');
  return post.create;
}

function applyChange(decision: Decision, change: Change): void {
  decision.changes.push(change);
  decision.state = evolve(decision.state, change);
}

// The first attempt stored the upsert's changes with its messages.
function isRetry(post: Post, known: FindKnownMessage): boolean {
  return post.messages.length > 0 && post.messages.every((draft) => known(draft)?.id === draft.id);
}

function applyUpsert(
  decision: Decision,
  post: Post,
  upsertContext: Parameters<typeof upsertChange>[2],
): void {
  const before = decision.state;
  const change = upsertChange(before, post, upsertContext);
  if (!change) return;
  applyChange(decision, change);
  assertBoundedGrowth(before, decision.state);
}

function create(decision: Decision, post: Post, now: string): void {
  assertBoundedGrowth(null, decision.state);
  applyChange(decision, { kind: 'created', id: decision.state.id, at: now, by: post.caller.user });
}

/** Allows a create to find only the conversation that it created itself. */
function assertNoSecondCreate(state: ConversationState, { create, reopen }: Post): void {
  if (create && !reopen && create.slug !== state.slug) {
    throw new DomainError('conflict', 'The contact has a conversation already.');
  }
}

function assertSafeFields(fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    assertSafeKeys(value, field, { dots: field === 'meta' ? 'refused' : 'allowed' });
  }
}

function acceptMessage(decision: Decision, arriving: IncomingPost): PostedMessage {
  const { caller, draft, now } = arriving;
  const before = decision.state;
  const counted = classifyMessage(caller, draft);
  assertNoBotLoop(before.loops, counted, Date.parse(now));
  const effects = messageEffects(before, arriving);
  // Check the bounds of a delayed message now, while its caller waits.
  if (draft.delay) assertBoundedGrowth(before, applyEffects(before, effects));
  const change = draft.delay ? buildDelayed(arriving) : buildProcessed(before, { ...arriving, effects });
  applyChange(decision, counted ? { ...change, counted } : change);
  assertBoundedGrowth(before, decision.state);
  return change.kind === 'delayed'
    ? { id: draft.id }
    : { id: draft.id, sequence: change.message.sequence, processedAt: now };
}

function buildDelayed({ caller, draft, now }: IncomingPost): Delayed {
  const dueAt = new Date(Date.parse(draft.createdAt) + (draft.delay ?? 0)).toISOString();
  return { kind: 'delayed', id: draft.id, at: now, caller, message: draft, dueAt };
}

function buildProcessed(
  state: ConversationState,
  { caller, draft, now, effects }: IncomingPost & { effects: Effect[] },
): Processed {
  const { facts: _, ...message } = draft;
  return {
    kind: 'processed',
    id: draft.id,
    at: now,
    caller,
    message: { ...message, sequence: state.sequence + 1, processedAt: now },
    effects,
    wasDelayed: false,
  };
}

function buildProcessedWhenDue(state: ConversationState, arriving: IncomingPost): Processed {
  const effects =
    effectsOrNull(state, () => messageEffects(state, arriving)) ??
    effectsOrNull(state, () => plainEffects(state, arriving)) ??
    [];
  return { ...buildProcessed(state, { ...arriving, effects }), wasDelayed: true };
}

function effectsOrNull(state: ConversationState, decided: () => Effect[]): Effect[] | null {
  try {
    const effects = decided();
    assertBoundedGrowth(state, applyEffects(state, effects));
    return effects;
  } catch {
    // Catch everything: a message that cannot be processed would block all later messages.
    return null;
  }
}

function findInSamePost(decision: PostDecision, draft: MessageDraft): RecentMessage | undefined {
  if (draft.externalId === undefined) return undefined;
  for (const change of decision.changes) {
    if (change.kind === 'processed' && change.message.externalId === draft.externalId) return change.message;
    if (change.kind === 'delayed' && change.message.externalId === draft.externalId) return { id: change.id };
  }
  return undefined;
}

function toPostedMessage({ id, sequence, processedAt }: RecentMessage): PostedMessage {
  return {
    id,
    ...(sequence === undefined ? {} : { sequence }),
    ...(processedAt === undefined ? {} : { processedAt }),
  };
}

interface UpsertContext {
  now: string;
  /** Present if it was read: then equal fields are not changed again. */
  profile?: Profile | undefined;
  isNew: boolean;
}

/**
 * Returns an upsert's change besides its messages (spec 5.7). Throws DomainError `not_found` for
 * another contact's conversation, `unprocessable` for too many address fields.
 */
function upsertChange(
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

// Completes an assignment: the contact may point to this conversation already, if a worker stopped.
function ownerEffects({ contact }: ConversationState, { create }: Post): Effect[] {
  const owner = create?.contact;
  if (owner === undefined || contact === owner) return [];
  if (contact !== undefined) throw notFound('The conversation of the contact');
  return [{ kind: 'owner', contact: owner }];
}
