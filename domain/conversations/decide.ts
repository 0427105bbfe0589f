import { assertCarriable, carriedFields, chooseCarrier } from '../channels/carrier.ts';
import { classifyMessage, assertNoBotLoop } from './bot-loop.ts';
import { assertBoundedGrowth } from './bounds.ts';
import { findRecentMessage, createRecentMessages, addRecentMessages, messagesIn } from './cached-messages.ts';
import type { CachedConversation, CachedMessage } from './cached-messages.ts';
import type { Change, Delayed, Effect, IncomingMessage, Processed, Amended } from './change.ts';
import { newConversation } from './conversation.ts';
import type { ConversationState } from './conversation.ts';
import { DomainError, withinMessage, notFound } from '../errors.ts';
import { findClaimed, profileAfter, profileEffects } from '../effects/contact-effects.ts';
import type { Profile } from '../effects/contact-effects.ts';
import { applyEffects, evolve, hasEffect } from './evolve.ts';
import { assertSafeKeys } from '../free-form.ts';
import { pick } from '../record-fields.ts';
import { messageEffects, plainEffects } from '../effects/message-effects.ts';
import { findDueTime } from '../messages/due-time.ts';
import type { Caller, MessageDraft } from '../messages/message.ts';
import type { Post, PostedMessage, PostResult, RecentMessage, Refusal } from '../messages/post.ts';

export type FindKnownMessage = (draft: MessageDraft) => RecentMessage | undefined;

export interface Decision {
  /** Changes take effect only when they are stored. */
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
  /** The contact's profile, if loaded, so that equal fields are skipped. */
  profile?: Profile | undefined;
}

interface TimedMessage extends IncomingMessage {
  now: string;
}

/** The content of one commit: `changes` turn `base` into `state`. */
interface BatchDecision {
  base: ConversationState | null;
  changes: Change[];
  state: ConversationState | null;
  results: PostResult[];
}

/** Decides posts in order. A refused post changes nothing for the others. Never throws. */
export function decideBatch(
  { state, recent, deleted }: CachedConversation,
  posts: Post[],
  { now, profile }: Pick<DecisionContext, 'now' | 'profile'>,
): BatchDecision {
  const batch: BatchDecision = { base: state, changes: [], state, results: [] };
  const inBatch = createRecentMessages([]);
  const findKnown = (draft: MessageDraft) =>
    findRecentMessage(recent, draft) ?? findRecentMessage(inBatch, draft);
  for (const post of posts) {
    try {
      if (deleted) throw notFound('The conversation');
      const { changes, posted, created, ...decided } = decidePost(batch.state, post, {
        now,
        profile,
        findKnown,
      });
      profile &&= changes.reduce(profileAfter, profile);
      if (!batch.base && post.create) batch.base = newConversation(post.create);
      batch.changes.push(...changes);
      batch.state = decided.state;
      batch.results.push({ posted, created: created || undefined });
      addRecentMessages(inBatch, messagesIn(changes));
    } catch (error) {
      batch.results.push({ refused: toRefusal(error) });
    }
  }
  return batch;
}

/** Converts any error: an unexpected error must not block the conversation. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof DomainError))
    return { code: 'internal', message: 'The message could not be processed.' };
  const { code, message, details, retryAfterSeconds, conflict } = error;
  return { code, message, details, retryAfterSeconds, conflict };
}

/**
 * Decides one post. Throws DomainError to refuse it as a whole: `not_found`, `conflict`,
 * `unprocessable`, `invalid_request` or a bot-loop code (spec 5, 6.10).
 */
export function decidePost(
  state: ConversationState | null,
  post: Post,
  { now, findKnown, profile }: DecisionContext,
): PostDecision {
  const { caller, create, messages } = post;
  const before = state ?? (create && newConversation(create));
  if (!before) throw notFound('The conversation');
  // An equal random slug means that an earlier attempt of this request created the conversation.
  const created = !state || state.slug === create?.slug;
  const decision: PostDecision = { changes: [], state: before, posted: [], created };
  if (state) assertNoSecondCreate(state, post);
  else {
    assertBoundedGrowth(null, before);
    applyChange(decision, { kind: 'created', id: before.id, at: now, by: caller.user });
  }
  if (!isRetry(post, findKnown)) applyUpsert(decision, post, { now, profile, isNew: !state });
  messages.forEach((draft, at) => {
    const known = findKnown(draft) ?? findInSamePost(decision, draft);
    const accept = () => acceptMessage(decision, { caller, draft, now });
    const posted = known ? toPostedMessage(known) : withinMessage(at, messages.length, accept);
    decision.posted.push(posted);
  });
  return decision;
}

/**
 * Processes due messages in order. Skips messages that are not pending. Never throws: invalid
 * effects are dropped.
 */
export function decideDue(state: ConversationState, due: CachedMessage[], now: string): Decision {
  const decision: Decision = { changes: [], state };
  for (const { caller, message: draft } of due) {
    if (isPending(decision.state, draft.id))
      applyChange(decision, buildProcessedWhenDue(decision.state, { caller, draft, now }));
  }
  return decision;
}

/** Throws DomainError `unprocessable` or `invalid_request`, and `conflict` for a second contact. */
export function decideAmend(
  state: ConversationState,
  { id, by, effects, now }: { id: string; by: string; effects: Effect[]; now: string },
): Decision {
  for (const effect of effects) if (effect.kind === 'replace') assertSafeFields(effect.fields);
  const decision: Decision = { changes: [], state };
  const owner = findClaimed(effects);
  if (owner !== undefined && state.contact !== undefined && owner !== state.contact) {
    throw new DomainError('conflict', 'The conversation has a contact already.', {
      conflict: { resource: 'contacts', id: state.contact },
    });
  }
  // A PATCH that sets a field to its current value is an update too.
  const changing = effects.filter((effect) => effect.kind === 'set' || hasEffect(state, effect));
  const intervenes = effects.some((effect) =>
    effect.kind === 'owner'
      ? effect.from !== undefined
      : effect.kind === 'unblocked' || effect.kind === 'hurried' || effect.kind === 'left',
  );
  if (changing.length === 0 && intervenes) return decision;
  applyChange(decision, { kind: 'amended', id, at: now, by, effects: changing });
  assertBoundedGrowth(state, decision.state);
  return decision;
}

/**
 * Returns the deletion and the base of its events. The base keeps participants, so that the same
 * services are notified, but no messages or contact data (spec 5.8). `keepsContact`: the contact
 * has another conversation.
 */
export function decideErasure(
  { participants, version, sequence, eventSequence, ...state }: ConversationState,
  { id, caller, now, keepsContact }: { id: string; caller: Caller; now: string; keepsContact?: boolean },
): { base: ConversationState; changes: Change[] } {
  const fields = ['id', 'slug', 'organization', 'createdBy', 'createdAt', 'type', 'status'] as const;
  const kept = pick(state, keepsContact ? fields : [...fields, 'contact']);
  const base = { ...newConversation(kept), participants, version, sequence, eventSequence };
  return { base, changes: [{ kind: 'erased', id, at: now, caller }] };
}

export function decideCancel(state: ConversationState, id: string, now: string): Decision {
  const decision: Decision = { changes: [], state };
  if (isPending(state, id)) applyChange(decision, { kind: 'cancelled', id, at: now });
  return decision;
}

export function isPending({ pending }: ConversationState, message: string): boolean {
  return pending.some(({ id }) => id === message);
}

function applyChange(decision: Decision, change: Change): void {
  decision.changes.push(change);
  decision.state = evolve(decision.state, change);
}

// A retry skips the upsert: the first attempt stored changes and messages together.
function isRetry(post: Post, known: FindKnownMessage): boolean {
  return post.messages.length > 0 && post.messages.every((draft) => known(draft)?.id === draft.id);
}

function applyUpsert(decision: Decision, post: Post, upsertContext: UpsertContext): void {
  const before = decision.state;
  const change = upsertChange(before, post, upsertContext);
  if (!change) return;
  applyChange(decision, change);
  assertBoundedGrowth(before, decision.state);
}

export function contactTakenError(conversation: string): DomainError {
  return new DomainError('conflict', 'The contact has a conversation already.', {
    conflict: { resource: 'conversations', id: conversation },
  });
}

function assertNoSecondCreate(state: ConversationState, { create, amends }: Post): void {
  if (create && !amends && create.slug !== state.slug) {
    throw contactTakenError(state.id);
  }
}

function assertSafeFields(fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    assertSafeKeys(value, field, { dots: field === 'meta' ? 'refused' : 'allowed' });
  }
}

function acceptMessage(decision: Decision, given: TimedMessage): PostedMessage {
  const before = decision.state;
  const carrier = chooseCarrier(before.touchpoints, given.draft);
  if (carrier) assertCarriable(carrier, given.draft);
  const arriving = findDueTime(given.draft) === undefined ? withCarrier(before, given) : given;
  const { caller, draft, now } = arriving;
  const counted = classifyMessage(caller, draft);
  assertNoBotLoop(before.loops, counted, Date.parse(now));
  const effects = messageEffects(before, arriving);
  // Check the bounds of a delayed message while its caller waits.
  const dueAt = findDueTime(draft);
  if (dueAt !== undefined) assertBoundedGrowth(before, applyEffects(before, effects));
  const change: Delayed | Processed =
    dueAt === undefined
      ? buildProcessed(before, { ...arriving, effects })
      : { kind: 'delayed', id: draft.id, at: now, caller, message: draft, dueAt };
  applyChange(decision, { ...change, counted });
  assertBoundedGrowth(before, decision.state);
  return change.kind === 'delayed'
    ? { id: draft.id }
    : {
        id: draft.id,
        sequence: change.message.sequence,
        processedAt: now,
        ...(carrier && { carried: carriedFields(carrier, now) }),
      };
}

/** Returns the message as its channel service carries it (spec 15.2). */
function withCarrier({ touchpoints }: ConversationState, arriving: TimedMessage): TimedMessage {
  const { draft, now } = arriving;
  const carrier = chooseCarrier(touchpoints, draft);
  return carrier ? { ...arriving, draft: { ...draft, ...carriedFields(carrier, now) } } : arriving;
}

function buildProcessed(
  state: ConversationState,
  { caller, draft, now, effects }: TimedMessage & { effects: Effect[] },
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

function buildProcessedWhenDue(state: ConversationState, due: TimedMessage): Processed {
  const arriving = withCarrier(state, due);
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
    // A message that cannot be processed would block all later messages.
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
  return { id, sequence, processedAt, known: true };
}

interface UpsertContext extends Pick<DecisionContext, 'now' | 'profile'> {
  isNew: boolean;
}

/**
 * Throws DomainError `not_found` for another contact's conversation, `unprocessable` for too many
 * address fields (spec 5.7).
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
    ...(isNew ? [] : (amends ?? []).filter((effect) => hasEffect(state, effect))),
    ...(isNew && madeContact ? [] : profileEffects(profile, post.profile ?? {})),
  ];
  if (effects.length === 0) return undefined;
  const { amendId = state.id } = post;
  return { kind: 'amended', id: amendId, at: now, by: post.caller.user, effects };
}

// A stopped process may have assigned the conversation to the contact without storing the contact
// in the conversation.
function ownerEffects({ contact }: ConversationState, { create }: Post): Effect[] {
  const owner = create?.contact;
  if (owner === undefined || contact === owner) return [];
  if (contact !== undefined) throw notFound('The conversation of the contact');
  return [{ kind: 'owner', contact: owner }];
}
