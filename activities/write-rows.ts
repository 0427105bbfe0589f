import { conversationEvents } from '../domain/events/conversation-events.ts';
import { eventNames } from '../domain/events/event-name.ts';
import type { EventRecord } from '../domain/events/event-record.ts';
import { narrowedSubscriptions } from '../domain/events/subscriptions.ts';
import type { Subscription } from '../domain/events/subscriptions.ts';
import { contactFields, findNewOwner } from '../domain/effects/contact-effects.ts';
import { findFileKeys } from '../domain/files/file.ts';
import type { Change, Edited, Processed, Removed } from '../domain/conversations/change.ts';
import { shortenText } from '../domain/strip-tags.ts';
import type { ConversationResult, ConversationState } from '../domain/conversations/conversation.ts';
import { intermediateStates } from '../domain/conversations/evolve.ts';
import { deliveryRows, isSendable } from '../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../domain/delivery/delivery.ts';
import { conversationWords, searchWords } from '../domain/query/search-words.ts';
import { definedFields } from '../domain/record-fields.ts';
import { SPOKEN_TYPES } from '../domain/messages/message.ts';
import { isOutage } from '../store/connection/outage.ts';
import { findCommitsBetween } from '../store/conversations/commits.ts';
import type { LastCommit } from '../store/conversations/commits.ts';
import { applyContactChanges, contactRecord, findContactById } from '../store/conversations/contacts.ts';
import type { ContactDocument } from '../store/conversations/contacts.ts';
import {
  markMessageDeleted,
  editMessage,
  insertMessages,
  setMessageContact,
  assignSequences,
} from '../store/conversations/processed-messages.ts';
import type { AssignedSequence } from '../store/conversations/processed-messages.ts';
import { editLastMessage, replaceLastMessage } from '../store/conversations/last-message.ts';
import { endTyping } from '../store/conversations/presences.ts';
import { noteMessageFiles, releaseMessageFiles } from '../store/files/files.ts';
import { indexContact, indexConversation } from '../store/conversations/search-words.ts';
import { insertDeliveries, insertInTurn } from '../store/delivery/deliveries.ts';
import { findOrganizationSubscribers } from '../store/delivery/services.ts';
import type { EventDocument } from '../store/records/business-events.ts';
import { organizationContext } from '../store/records/organizations.ts';
import type { NotifyDeliveries } from '../deliveries/dispatcher.ts';
import { findContactAfter, buildMessageDocuments, getStateAfter, parseCommit } from './commit.ts';
import type { CommitWithStates } from './commit.ts';
import { writeTimerEvents } from './timer-events.ts';

export interface WriteRowsDeps {
  publicUrl: string;
  deliveryShards: number;
  notifyDeliveries: NotifyDeliveries;
  /** Runs a stored event soon. An event that is not run is found by the recovery task. */
  runTimerEvent: (event: EventDocument) => void;
}

const pendingWrites = new Map<string, { writing: Promise<void>; since: number }>();
/** A write that takes longer may hang on a dead connection. */
const MAX_AWAIT_MS = 60_000;

/**
 * Writes the rows of a commit. Repeatable. A second attempt joins the attempt in progress: two
 * concurrent writes of a large commit are slower than one. `results`: the conversation's completed
 * forms.
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
  const version = base.version + 1;
  const contact = writeContact(commit);
  await Promise.all([
    insertMessages(buildMessageDocuments(commit)),
    assignSequences(changes.filter(isDueDelayed).map(toSequenceAssignment)),
    ...changes.map((change) => {
      const at = new Date(change.at);
      if (change.kind === 'edited') return editShownMessage(base.id, change, version);
      if (change.kind === 'cancelled') return markMessageDeleted(change.id, version, at);
      if (change.kind === 'removed') return removeShownMessage(base.id, change, version);
      return undefined;
    }),
    contact.then((changed) => changed && indexContact(changed)),
    writeSearchWords(commit),
    writeMessageFiles(commit),
    endTyping(base.id, changes.flatMap(findTypist)),
    writeTimerEvents(commit, deps.runTimerEvent),
    queueDeliveries(deps, commit, { results, contact }),
  ]);
}

async function editShownMessage(conversation: string, change: Edited, version: number): Promise<void> {
  await editMessage(change, version, new Date(change.at));
  const { id, contentType } = change.message;
  const shown = { text: shortenText(change.message), ...definedFields({ contentType }) };
  await editLastMessage({ conversation, id, version }, shown);
}

async function removeShownMessage(conversation: string, change: Removed, version: number): Promise<void> {
  const { id } = change.message;
  await markMessageDeleted(id, version, new Date(change.at));
  await replaceLastMessage({ conversation, id, version });
}

function findTypist(change: Change): (string | undefined)[] {
  const isNew = change.kind === 'delayed' || (change.kind === 'processed' && !change.wasDelayed);
  if (!isNew || change.message.isBackchannel || !SPOKEN_TYPES.includes(change.message.type)) return [];
  const { role, user = change.caller.user } = change.message;
  return [role === 'contact' ? undefined : user];
}

function isDueDelayed(change: Change): change is Processed {
  return change.kind === 'processed' && change.wasDelayed;
}

function toSequenceAssignment({ id, message }: Processed): AssignedSequence {
  const { sequence, processedAt, delivery, service, serviceType, touchpoint } = message;
  const carried = delivery && definedFields({ delivery, service, serviceType, touchpoint });
  return { id, sequence, processedAt: new Date(processedAt), ...carried };
}

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

interface WrittenRows {
  results: ConversationResult[];
  contact: Promise<ContactDocument | null>;
}

/**
 * Stores the deliveries of a commit. Each of several slices waits for the tenant's turn, so that
 * one commit does not block the store.
 */
async function queueDeliveries(
  { publicUrl, deliveryShards: shards, notifyDeliveries }: WriteRowsDeps,
  commit: CommitWithStates,
  { results, contact }: WrittenRows,
): Promise<void> {
  const { base, services, profile } = commit;
  if (services.length === 0) return;
  const { links = {}, path: line = [], categories } = (await organizationContext(base.organization)) ?? {};
  const changed = await contact;
  const events = conversationEvents(commit, {
    publicUrl,
    links,
    ...definedFields({ categories }),
    results,
    contact: changed ? contactRecord.present(changed) : undefined,
    profile: profile && { ...profile },
  });
  let after = base.eventSequence;
  let isOnly = true;
  for (const { rows, through, isLast } of splitIntoSlices(events, (event) =>
    deliveryRows(event, { services, line, shards }),
  )) {
    isOnly &&= isLast;
    const fresh = await (isOnly ? insertDeliveries(rows) : insertInTurn(rows, line[1] ?? line[0] ?? ''));
    notifyDeliveries(rows.filter(isSendable), fresh ? { after, through, rows: fresh } : undefined);
    after = through;
  }
}

/** Keeps the files that messages have, and lets files expire that no message has any more. */
async function writeMessageFiles({ base: { id }, changes }: CommitWithStates): Promise<void> {
  // In order: a message may be posted and removed in one commit.
  for (const change of changes) {
    if (change.kind === 'cancelled') {
      await releaseMessageFiles(id, { message: change.id, kept: [] });
    } else if ('message' in change) {
      const message = change.message.id;
      const keys = findFileKeys(change.message);
      const isRemoved = change.kind === 'removed';
      if (keys.length > 0 && !isRemoved) await noteMessageFiles(id, { message, keys });
      if (change.kind === 'edited' || (isRemoved && keys.length > 0)) {
        await releaseMessageFiles(id, { message, kept: isRemoved ? [] : keys });
      }
    }
  }
}

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

const SLICE = { rows: 500, characters: 1024 * 1024 };

interface Slice {
  rows: DeliveryRow[];
  through: number;
  isLast: boolean;
}

/**
 * Yields slices that end when `size.rows` or `size.characters` is reached. The rows of an event
 * stay together.
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

export async function selectSubscribers(base: ConversationState, changes: Change[]): Promise<Subscription[]> {
  const services = await findOrganizationSubscribers(base.organization);
  if (services.every(({ events = [] }) => events.length === 0)) return services;
  const states = intermediateStates(base, changes);
  const events = changes.flatMap((change, at) => eventNames(change, states[at] ?? base));
  return narrowedSubscriptions(services, events);
}

const PAGE = 200;

export interface FinishDeps extends WriteRowsDeps {
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Writes missing rows of conversations that changed between two times: a worker may have crashed
 * after a commit. Rejects only if the store is down.
 */
export async function finishCommits(
  deps: FinishDeps,
  { from, to }: { from: Date; to: Date },
): Promise<{ looked: number; passedBy: number }> {
  let looked = 0;
  let passedBy = 0;
  for (;;) {
    const page = await findCommitsBetween({ from, to }, PAGE);
    for (const one of page) if (!(await finishCommit(deps, one))) passedBy += 1;
    looked += page.length;
    const last = page.at(-1);
    if (page.length < PAGE || !last) return { looked, passedBy };
    // If the conversations of one millisecond fill a page, skip the rest of them.
    from = last.updatedAt > from ? last.updatedAt : new Date(from.getTime() + 1);
  }
}

/** Returns false if the rows cannot be written. Rejects only if the store is down. */
export async function finishCommit(
  deps: FinishDeps,
  { _id, commit, results }: Pick<LastCommit, '_id' | 'commit' | 'results'>,
): Promise<boolean> {
  try {
    await writeRows(deps, parseCommit(commit), results);
    return true;
  } catch (error) {
    if (isOutage(error)) throw error;
    deps.log.warn({ err: error, conversation: _id }, 'the last commit of a conversation cannot be finished');
    return false;
  }
}
