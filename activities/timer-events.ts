import { createHash } from 'node:crypto';
import { renderWhole } from '../domain/channels/render-text.ts';
import type { Change } from '../domain/conversations/change.ts';
import { MAX_UNROUTED } from '../domain/events/business-event.ts';
import { VIEWER_TYPES } from '../domain/messages/chat-page-message.ts';
import { definedFields } from '../domain/record-fields.ts';
import { createSeededIds } from '../application/posting/id-generator.ts';
import { findPresences } from '../store/conversations/presences.ts';
import { findMainThread } from '../store/conversations/stream.ts';
import { insertEvent } from '../store/records/business-events.ts';
import type { EventDocument } from '../store/records/business-events.ts';
import { findEventTypeFor } from '../store/records/eventtypes.ts';
import { countUnrouted } from '../store/records/find-events.ts';
import { organizationContext } from '../store/records/organizations.ts';
import { ttlCache } from '../store/queries/ttl-cache.ts';
import { hex } from '../store/queries/identifier.ts';
import type { CommitWithStates } from './commit.ts';

type Timed = Extract<Change, { kind: 'timed' }>;

const unroutedUsage = ttlCache({ maxAgeMs: 5_000, max: 1_000, load: countUnrouted });

/**
 * Stores the business events of timers that fired (spec 14.3), and passes events with an event type
 * to `run`. Repeatable: the id of an event depends on the conversation, the timer and the
 * beginning of its state.
 */
export async function writeTimerEvents(
  { base, changes }: CommitWithStates,
  run: (event: EventDocument) => void,
): Promise<void> {
  for (const change of changes) {
    if (change.kind !== 'timed') continue;
    const unread = change.ifUnread ? await readUnread(base.id, change.since) : undefined;
    if (unread === '') continue;
    const event = await buildEvent(change, base);
    if (event.eventtype === undefined && (await isUnroutedFull(event))) continue;
    const { timer, since } = change;
    const body = JSON.stringify(definedFields({ conversation: base.id, timer, since, text: unread }));
    const { event: stored } = await insertEvent(event, { body, seed: buildSeed(change, base.id) });
    if (stored.status === 'received') run(stored);
  }
}

const MAX_REPLIES = 50;
const MAX_UNREAD_CHARACTERS = 16_000;

/** Returns the replies since a time that the contact has not read, in order, as text. */
async function readUnread(conversation: string, since: string): Promise<string> {
  const [[presence], { records }] = await Promise.all([
    findPresences([conversation]),
    findMainThread(conversation, {
      ...{ before: Number.MAX_SAFE_INTEGER, types: VIEWER_TYPES },
      ...{ limit: MAX_REPLIES, maxCharacters: MAX_UNREAD_CHARACTERS },
    }),
  ]);
  const { contactRead = 0 } = presence ?? {};
  const unread = records.filter(
    ({ role, sequence = 0, processedAt }) =>
      role !== 'contact' && sequence > contactRead && processedAt && processedAt >= new Date(since),
  );
  const texts = unread
    .reverse()
    .map(renderWhole)
    .filter((text) => text !== '');
  return texts.join('\n\n').slice(0, MAX_UNREAD_CHARACTERS);
}

async function buildEvent(
  change: Timed,
  { id, organization }: CommitWithStates['base'],
): Promise<Parameters<typeof insertEvent>[0]> {
  const { event: name, timer, user, at } = change;
  const context = await organizationContext(organization);
  const type = context && (await findEventTypeFor(context.path, name));
  const now = new Date(at);
  return {
    _id: createSeededIds(buildSeed(change, id)).newId(),
    organization,
    name,
    timer,
    ...definedFields({ eventtype: type?._id }),
    // The run reads the user's present permissions, and takes the lower ones.
    caller: { user, organization, role: 'bot', scope: 'bot' },
    createdBy: user,
    createdAt: now,
    updatedAt: now,
  };
}

function buildSeed({ timer, since, dueAt }: Timed, conversation: string): string {
  const secret = createHash('sha256')
    .update(JSON.stringify(['timer', conversation, timer, since]))
    .digest('hex');
  const ms = Date.parse(dueAt);
  return `${hex(Math.floor(ms / 1000), 8)}${secret}m${hex(ms % 1000, 3)}`;
}

async function isUnroutedFull({ createdBy = '' }: Pick<EventDocument, 'createdBy'>): Promise<boolean> {
  const usage = await unroutedUsage.get(createdBy);
  usage.events += 1;
  return usage.events > MAX_UNROUTED;
}
