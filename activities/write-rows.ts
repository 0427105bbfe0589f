import { conversationEvents } from '../domain/events/conversation-events.ts';
import { contactFields, findNewOwner } from '../domain/effects/contact-effects.ts';
import type { Change, Processed } from '../domain/conversations/change.ts';
import type { ConversationResult, ConversationState } from '../domain/conversations/conversation.ts';
import { presentContact } from '../application/presenters/presenters.ts';
import { applyContactChanges, findContactById } from '../store/conversations/contacts.ts';
import type { ContactDocument } from '../store/conversations/contacts.ts';
import {
  markMessageDeleted,
  editMessage,
  insertMessages,
  setMessageContact,
  assignSequences,
} from '../store/conversations/processed-messages.ts';
import type { AssignedSequence } from '../store/conversations/processed-messages.ts';
import { organizationContext } from '../store/records/organizations.ts';
import { indexContact, indexConversation } from '../store/conversations/search-words.ts';
import { findContactAfter, buildMessageDocuments, getStateAfter } from './commit.ts';
import type { CommitWithStates } from './commit.ts';
import type { Subscriber } from '../deliveries/notifications.ts';
import { conversationWords, searchWords } from '../domain/query/search-words.ts';
import { deliveryRows, isSendable } from '../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../domain/delivery/delivery.ts';
import type { EventRecord } from '../domain/events/event-record.ts';
import type { Subscription } from '../domain/events/subscriptions.ts';
import { insertDeliveries, insertInTurn } from '../store/delivery/deliveries.ts';
import { intermediateStates } from '../domain/conversations/evolve.ts';
import { eventNames } from '../domain/events/event-name.ts';
import { narrowedSubscriptions } from '../domain/events/subscriptions.ts';
import { findOrganizationSubscribers } from '../store/delivery/services.ts';

export interface WriteRowsDeps {
  publicUrl: string;
  deliveryShards: number;
  /** Tells the drain of this process what is waiting to be sent. */
  notifyDeliveries: Subscriber;
}

/** Commits whose rows this process is writing, by conversation and version. */
const pendingWrites = new Map<string, { writing: Promise<void>; since: number }>();
/** A write that has taken longer may hang on a dead connection: another attempt does not wait. */
const MAX_AWAIT_MS = 60_000;

/**
 * Puts the rows of a commit into their collections: messages, contact changes, deliveries.
 * Repeatable: rows that exist are not changed. `results` are the conversation's completed
 * forms, which its events show.
 *
 * An attempt that timed out goes on writing. The next attempt in this process waits for it: writing
 * a large commit twice at once would take even longer.
 */
export function writeRows(
  deps: WriteRowsDeps,
  commit: CommitWithStates,
  results: ConversationResult[],
): Promise<void> {
  const key = `${commit.base.id}:${commit.base.version}`;
  const known = pendingWrites.get(key);
  if (known && performance.now() - known.since < MAX_AWAIT_MS) return known.writing;
  const writing = writeCollections(deps, commit, results).finally(() => {
    if (pendingWrites.get(key)?.writing === writing) pendingWrites.delete(key);
  });
  pendingWrites.set(key, { writing, since: performance.now() });
  return writing;
}

async function writeCollections(
  deps: WriteRowsDeps,
  commit: CommitWithStates,
  results: ConversationResult[],
): Promise<void> {
  const { changes, base } = commit;
  const contact = writeContact(commit);
  await Promise.all([
    insertMessages(buildMessageDocuments(commit)),
    assignSequences(changes.filter(isDueDelayed).map(toSequenceAssignment)),
    ...changes.map((change) => {
      if (change.kind === 'edited') return editMessage(change.message, base.version + 1, new Date(change.at));
      if (change.kind === 'cancelled')
        return markMessageDeleted(change.id, base.version + 1, new Date(change.at));
      if (change.kind === 'removed')
        return markMessageDeleted(change.message.id, base.version + 1, new Date(change.at));
      return undefined;
    }),
    contact.then((changed) => changed && indexContact(changed)),
    writeSearchWords(commit),
    queueDeliveries(deps, { commit, results, contact }),
  ]);
}

function isDueDelayed(change: Change): change is Processed {
  return change.kind === 'processed' && change.wasDelayed;
}

function toSequenceAssignment({ id, message }: Processed): AssignedSequence {
  return { id, sequence: message.sequence, processedAt: new Date(message.processedAt) };
}

/** The contact as it is then, if the commit changes it or gives the conversation this one. */
async function writeContact(commit: CommitWithStates): Promise<ContactDocument | null> {
  const contact = findContactAfter(commit);
  const changes = contactFields(commit.changes);
  const isGiven = findNewOwner(commit.changes) !== undefined;
  const isChanged = Object.keys(changes).length > 0;
  if (!contact || !(isGiven || isChanged)) return null;
  if (isGiven) await setMessageContact(commit.base.id, contact);
  if (isChanged) await applyContactChanges(contact, changes, commit.base.version + 1);
  return findContactById(contact);
}

interface DeliveryInput {
  commit: CommitWithStates;
  results: ConversationResult[];
  contact: Promise<ContactDocument | null>;
}

async function queueDeliveries(
  deps: WriteRowsDeps,
  { commit, results, contact }: DeliveryInput,
): Promise<void> {
  if (commit.services.length === 0) return;
  const context = await organizationContext(commit.base.organization);
  const changed = await contact;
  const events = conversationEvents(commit, {
    publicUrl: deps.publicUrl,
    links: context?.links ?? {},
    results,
    ...(changed ? { contact: presentContact(changed) } : {}),
    ...(commit.profile ? { profile: { ...commit.profile } } : {}),
  });
  await writeDeliveries(
    {
      events,
      after: commit.base.eventSequence,
      services: commit.services,
      line: context?.path ?? [],
      shards: deps.deliveryShards,
    },
    deps.notifyDeliveries,
  );
}

/** Notes what a conversation is found by after a commit, if that changes (spec 5). Repeatable. */
async function writeSearchWords(commit: CommitWithStates): Promise<void> {
  const { base } = commit;
  const next = getStateAfter(commit);
  const results = resultWords(commit);
  const isNew = base.version === 0;
  if (isNew || next.name !== base.name || next.forms !== base.forms || results.length > 0) {
    const { id, organization, contact } = base;
    const own = conversationWords(next);
    await indexConversation({ id, organization, contact, version: base.version + 1, own, results }, isNew);
  }
}

function resultWords({ changes }: CommitWithStates): string[] {
  return changes.flatMap((change) =>
    change.kind === 'processed' && change.message.type === 'results'
      ? searchWords((change.message.results ?? []).map(({ formName, values }) => [formName, values]))
      : [],
  );
}

/** Rows of one slice, and characters of their bodies, from which on the slice is written. */
const SLICE = { rows: 500, characters: 1024 * 1024 };

/** The deliveries of a commit's events. */
interface OutgoingEvents {
  /** In order of their numbers; `after` is the number of the event before them. */
  events: readonly EventRecord[];
  after: number;
  services: readonly Subscription[];
  /** Ids from the root to the organization of the events. */
  line: readonly string[];
  shards: number;
}

/**
 * Stores the deliveries of events, and notifies the drain of this process. Many are stored in
 * slices, each when the tenant's turn comes, so that neither the process nor the store is held up
 * by one commit. A delivery is stored only after all deliveries before it. Repeatable.
 */
async function writeDeliveries(
  { events, after, services, line, shards }: OutgoingEvents,
  notify: Subscriber,
): Promise<void> {
  let before = after;
  let isOnly = true;
  const tenant = line[1] ?? line[0] ?? '';
  for (const { rows, through, isLast } of splitIntoSlices(events, (event) =>
    deliveryRows({ events: [event], services, line, shards }),
  )) {
    isOnly &&= isLast;
    // A commit of one slice does not wait for a turn.
    const fresh = await (isOnly ? insertDeliveries(rows) : insertInTurn(rows, tenant));
    notify(rows.filter(isSendable), fresh ? { after: before, through, rows: fresh } : undefined);
    before = through;
  }
}

interface Slice {
  rows: DeliveryRow[];
  /** Number of its last event. */
  through: number;
  isLast: boolean;
}

/**
 * Yields the rows of events in slices of at least `SLICE`, cut between events. The bodies of a
 * slice are built when the generator reaches it. Events without rows belong to the slice beside
 * them.
 */
export function* splitIntoSlices(
  events: readonly EventRecord[],
  buildRows: (event: EventRecord) => DeliveryRow[],
  size = SLICE,
): Generator<Slice> {
  let rows: DeliveryRow[] = [];
  let characters = 0;
  for (const [at, event] of events.entries()) {
    const made = buildRows(event);
    rows.push(...made);
    characters += made[0]?.body.length ?? 0;
    const isLast = at === events.length - 1;
    if (rows.length === 0 || (!isLast && rows.length < size.rows && characters < size.characters)) continue;
    yield { rows, through: event.sequence, isLast };
    [rows, characters] = [[], 0];
  }
}

/** Returns the services that may receive an event of these changes, with their patterns. */
export async function selectSubscribers(base: ConversationState, changes: Change[]): Promise<Subscription[]> {
  const services = await findOrganizationSubscribers(base.organization);
  if (services.every(({ events = [] }) => events.length === 0)) return services;
  const states = intermediateStates(base, changes);
  const events = changes.flatMap((change, at) => eventNames(change, states[at] ?? base));
  return narrowedSubscriptions(services, events);
}
