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
  notifyDeliveries: Subscriber;
}

/** Rows that this process is writing, by conversation and version. */
const pendingWrites = new Map<string, { writing: Promise<void>; since: number }>();
/**
 * After this time another attempt starts its own write, because the pending write may hang on a
 * dead connection.
 */
const MAX_AWAIT_MS = 60_000;

/**
 * Writes messages, contact changes and deliveries. Repeatable: existing rows are not changed.
 * `results` are the conversation's completed forms.
 *
 * The next attempt in this process waits for an attempt that timed out: writing a large commit
 * twice at once would take even longer.
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

/** Returns the contact if the commit changes or assigns it. */
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

/** Does nothing unless the commit changes the words (spec 5). Repeatable. */
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

/** A slice ends when it reaches one of these bounds. */
const SLICE = { rows: 500, characters: 1024 * 1024 };

interface OutgoingEvents {
  /** In order. `after` is the sequence of the previous event. */
  events: readonly EventRecord[];
  after: number;
  services: readonly Subscription[];
  /** Tenant path. */
  line: readonly string[];
  shards: number;
}

/**
 * Stores deliveries in order and notifies this process's drain. Large commits are stored in slices,
 * each in the tenant's turn, so that one commit blocks neither the process nor the store.
 * Repeatable.
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
    const fresh = await (isOnly ? insertDeliveries(rows) : insertInTurn(rows, tenant));
    notify(rows.filter(isSendable), fresh ? { after: before, through, rows: fresh } : undefined);
    before = through;
  }
}

interface Slice {
  rows: DeliveryRow[];
  /** Sequence of the last event. */
  through: number;
  isLast: boolean;
}

/**
 * Yields slices of at least `size`, split between events, and builds their rows lazily. Adds events
 * without rows to an adjacent slice.
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

/** Returns the services that may receive an event of these changes. */
export async function selectSubscribers(base: ConversationState, changes: Change[]): Promise<Subscription[]> {
  const services = await findOrganizationSubscribers(base.organization);
  if (services.every(({ events = [] }) => events.length === 0)) return services;
  const states = intermediateStates(base, changes);
  const events = changes.flatMap((change, at) => eventNames(change, states[at] ?? base));
  return narrowedSubscriptions(services, events);
}
