import { conversationEvents } from '../domain/events/conversation-events.ts';
import { contactFields, findNewOwner } from '../domain/effects/contact-effects.ts';
import type { Change, Processed } from '../domain/conversations/change.ts';
import type { ConversationResult } from '../domain/conversations/conversation.ts';
import { presentContact } from '../application/presenters/contact.ts';
import { applyContactChanges } from '../store/conversations/contact-changes.ts';
import { findContactById } from '../store/conversations/contacts.ts';
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
import { indexContact } from '../store/conversations/search-words.ts';
import { findContactAfter, buildMessageDocuments } from './commit.ts';
import type { CommitWithStates } from './commit.ts';
import type { Subscriber } from '../deliveries/notifications.ts';
import { writeDeliveries } from './write-deliveries.ts';
import { writeSearchWords } from './write-search-words.ts';

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
