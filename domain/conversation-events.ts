import type { Change, Effect } from './change.ts';
import type { ConversationResult, ConversationState } from './conversation.ts';
import type { EventActor, EventData, EventRecord } from './event-record.ts';
import { eventNames } from './event.ts';
import type { EventName } from './event.ts';
import { evolve } from './evolve.ts';
import type { Audience } from './hearing.ts';
import { conversationLinks } from './links.ts';
import { mentionTargets } from './mention.ts';
import { conversationView, messageView } from './view.ts';

/** What the events of a conversation need besides its changes. */
export interface EventContext {
  publicUrl: string;
  /** Channel transfer links of the organization by touchpoint code, with `{slug}` to fill in (contract 5). */
  links: Record<string, string>;
  /** The conversation's completed forms, with or without those of the changes at hand. */
  results?: ConversationResult[];
}

/** A change, and the conversation right after it. */
interface Moment {
  change: Change;
  after: ConversationState;
  results: ConversationResult[];
}

/**
 * The events that a commit causes, in order of their sequence. The same commit always gives the same events, with every
 * resource as it was right after its change (contract 7).
 */
export function conversationEvents(
  { base, changes }: { base: ConversationState; changes: Change[] },
  context: EventContext,
): EventRecord[] {
  let before = base;
  let results = earlierResults(context.results ?? [], changes);
  return changes.flatMap((change) => {
    const after = evolve(before, change);
    results = [...results, ...resultsOf(change)];
    const moment = { change, after, results };
    const first = before.eventSequence + 1;
    before = after;
    return eventNames(change, after).map((event, at) =>
      eventRecord(moment, context, { event, number: at + 1, sequence: first + at }),
    );
  });
}

function eventRecord(
  moment: Moment,
  context: EventContext,
  { event, number, sequence }: { event: EventName; number: number; sequence: number },
): EventRecord {
  const { change, after } = moment;
  return {
    ...event,
    id: `${change.id}-${number}`,
    timestamp: change.at,
    organization: after.organization,
    conversation: after.id,
    sequence,
    actor: actorOf(change, after),
    audience: audienceOf(change, after, event),
    publicUrl: context.publicUrl,
    data: () => dataOf(moment, context, event),
  };
}

function dataOf({ change, after, results }: Moment, context: EventContext, event: EventName): EventData {
  const { publicUrl } = context;
  const resource = event.name.slice(0, event.name.indexOf('.'));
  return {
    ...(resource === 'message' && change.kind === 'processed'
      ? { message: messageView(change.message, after, publicUrl) }
      : {}),
    ...(resource === 'contact' ? { contact: { id: after.contact, ...contactChanges(change) } } : {}),
    conversation: conversationView(after, { publicUrl, results }),
    links: conversationLinks(after.slug, context),
  };
}

function actorOf(change: Change, { contact }: ConversationState): EventActor {
  if (change.kind === 'created' || change.kind === 'amended') return { id: change.by, kind: 'user' };
  if (change.kind !== 'processed') throw new Error(`A change of kind ${change.kind} causes no event.`);
  const { caller, message } = change;
  if (message.role === 'contact' && contact) return { id: contact, kind: 'contact' };
  const bot = caller.role === 'bot' && (message.user ?? caller.user) === caller.user;
  return { id: message.user ?? caller.user, kind: bot ? 'bot' : 'user' };
}

function audienceOf(change: Change, { participants }: ConversationState, { name }: EventName): Audience {
  const users = participants.map(({ user }) => user);
  if (change.kind !== 'processed' || !name.startsWith('message.')) {
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

function effectsOf(change: Change): Effect[] {
  return change.kind === 'processed' || change.kind === 'amended' ? change.effects : [];
}

function resultsOf(change: Change): ConversationResult[] {
  return effectsOf(change).flatMap((effect) => (effect.kind === 'result' ? [effect.result] : []));
}

function contactChanges(change: Change): Record<string, unknown> {
  const profile = Object.fromEntries(
    effectsOf(change).flatMap((effect) =>
      effect.kind === 'contact' ? [[effect.field, effect.value] as const] : [],
    ),
  );
  return { profile };
}

// A commit may be told again after its results were stored: then they are among those given.
function earlierResults(results: ConversationResult[], changes: Change[]): ConversationResult[] {
  const added = new Set(changes.flatMap(resultsOf).map(({ message }) => message));
  return results.filter(({ message }) => !added.has(message));
}
