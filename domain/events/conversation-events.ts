import type { Change, Edited, Processed, Removed } from '../conversations/change.ts';
import type { ConversationResult, ConversationState } from '../conversations/conversation.ts';
import { contactEffects, contactFields, profileAfter, collectResults } from '../effects/contact-effects.ts';
import type { Profile } from '../effects/contact-effects.ts';
import { toEventActor } from './event-record.ts';
import type { EventActor, EventData, EventRecord } from './event-record.ts';
import { eventNames, eventId } from './event-name.ts';
import type { EventName } from './event-name.ts';
import { findCategoryIndex } from '../effects/setting.ts';
import { definedFields } from '../record-fields.ts';
import { previousValues } from './previous-values.ts';
import { intermediateStates } from '../conversations/evolve.ts';
import type { Audience } from './subscriptions.ts';
import { MAX_RESULTS } from '../conversations/conversation.ts';
import { conversationLinks, conversationView, messageView } from './view.ts';
import type { MessageDraft } from '../messages/message.ts';

export interface EventContext {
  publicUrl: string;
  /** Link templates by touchpoint code (spec 5.11). */
  links: Record<string, string>;
  categories?: readonly { name: string }[];
  /** May include results that the changes add. */
  results?: ConversationResult[];
  contact?: Record<string, unknown> | undefined;
  /** The contact's profile before the changes. Absent if no change modifies it. */
  profile?: Profile | undefined;
}

interface AppliedChange {
  change: Change;
  before: ConversationState;
  after: ConversationState;
  results: ConversationResult[];
  /** The profile after this change, if a later change modifies it. */
  profile?: Profile | undefined;
  profileBefore?: Profile | undefined;
}

interface CommittedChanges {
  base: ConversationState;
  changes: Change[];
  states?: readonly ConversationState[];
}

/**
 * Returns events in sequence order. Each event shows its resource right after the change (spec
 * 7.6).
 */
export function conversationEvents(
  { base, changes, states = intermediateStates(base, changes) }: CommittedChanges,
  context: EventContext,
): EventRecord[] {
  let before = base;
  let results = earlierResults(context.results ?? [], changes);
  let { profile } = context;
  const lastOfContact = changes.findLast((change) => contactEffects(change).length > 0);
  return changes.flatMap((change, index) => {
    const after = states[index] ?? before;
    results = [...results, ...collectResults(change)].slice(-MAX_RESULTS);
    const profileBefore = profile;
    profile &&= profileAfter(profile, change);
    const shown = change === lastOfContact ? undefined : profile;
    const moment = { change, before, after, results, profile: shown, profileBefore };
    const first = before.eventSequence + 1;
    before = after;
    return eventNames(change, after).map((event, at) =>
      eventRecord(moment, context, { event, number: at + 1, sequence: first + at }),
    );
  });
}

function eventRecord(
  moment: AppliedChange,
  context: EventContext,
  { event, number, sequence }: { event: EventName; number: number; sequence: number },
): EventRecord {
  const { change, after } = moment;
  return {
    ...event,
    id: eventId(change.id, number),
    timestamp: change.at,
    organization: after.organization,
    conversation: after.id,
    sequence,
    actor: actorOfChange(change, after),
    audience: findAudience(change, after, event),
    trace: 'caller' in change ? change.caller.trace : undefined,
    publicUrl: context.publicUrl,
    data: () => buildEventData(moment, context, event),
  };
}

function buildEventData(moment: AppliedChange, context: EventContext, event: EventName): EventData {
  const { change, after, results } = moment;
  const { publicUrl, categories } = context;
  const view = ({ categoryIndex: stored, ...state }: ConversationState) => {
    const own = { ...state, ...definedFields({ categoryIndex: stored }) };
    const categoryIndex = categories ? findCategoryIndex(own, categories) : stored;
    return conversationView({ ...state, ...definedFields({ categoryIndex }) }, { publicUrl, results });
  };
  const resource = event.name.slice(0, event.name.indexOf('.'));
  return {
    message:
      resource === 'message' && isMessageChange(change)
        ? messageView({ ...change.message, updatedAt: change.at }, after, publicUrl)
        : undefined,
    contact: resource === 'contact' ? toContactData(moment, context) : undefined,
    conversation: view(after),
    previous: buildPrevious(moment, { event, view, context }),
    links: conversationLinks(after.slug, context),
  };
}

interface ShownEvent {
  event: EventName;
  view: (state: ConversationState) => Record<string, unknown>;
  context: EventContext;
}

function buildPrevious(moment: AppliedChange, { event: { name }, view, context }: ShownEvent) {
  const { before, after, profileBefore } = moment;
  if (name === 'conversation.update') return previousValues(view(before), view(after));
  if (name !== 'contact.update' || !profileBefore || !context.contact) return undefined;
  const shown = toContactData(moment, context);
  return previousValues({ ...shown, profile: profileBefore }, shown);
}

function actorOfChange(change: Change, { contact }: ConversationState): EventActor {
  if (change.kind === 'created' || change.kind === 'amended') return { id: change.by, kind: 'user' };
  if (change.kind === 'erased') return toEventActor(change.caller);
  if (!isMessageChange(change)) throw new Error(`A change of kind ${change.kind} causes no event.`);
  const { caller, message } = change;
  if (change.kind !== 'processed') return toEventActor(caller);
  if (message.role === 'contact' && contact) return { id: contact, kind: 'contact' };
  const bot = caller.role === 'bot' && (message.user ?? caller.user) === caller.user;
  return { id: message.user ?? caller.user, kind: bot ? 'bot' : 'user' };
}

function isMessageChange(change: Change): change is Processed | Edited | Removed {
  return change.kind === 'processed' || change.kind === 'edited' || change.kind === 'removed';
}

function findAudience(change: Change, { participants }: ConversationState, { name }: EventName): Audience {
  const users = participants.map(({ user }) => user);
  if (!isMessageChange(change) || !name.startsWith('message.')) {
    return { participants: users, mentioned: [], addressed: false };
  }
  const { type, text } = change.message;
  return {
    participants: users,
    mentioned: mentionTargets(change.message),
    addressed: type === 'command' && text.startsWith('>'),
    author: change.caller.user,
  };
}

// The event of a deleted contact contains ids only.
function toContactData({ change, after, profile }: AppliedChange, context: EventContext) {
  const { contact, organization, id } = after;
  if (change.kind === 'erased') return { id: contact, organization, conversation: id };
  if (context.contact) return profile ? { ...context.contact, profile } : context.contact;
  return { id: contact, profile: contactFields([change]) };
}

// Removes results of the changes: events may be built again after these were stored.
function earlierResults(results: ConversationResult[], changes: Change[]): ConversationResult[] {
  const added = new Set(changes.flatMap(collectResults).map(({ message }) => message));
  return results.filter(({ message }) => !added.has(message));
}

export function mentionTargets({ type, meta }: Pick<MessageDraft, 'type' | 'meta'>): string[] {
  if (type !== 'mention') return [];
  const named: unknown[] = [meta?.['targetUser'], meta?.['targetBot']].flat();
  return [...new Set(named.filter((id) => typeof id === 'string'))];
}
