import { createHash } from 'node:crypto';
import { computeShard, inboundLane } from '../../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import type { ContentType, Meta } from '../../domain/messages/message.ts';
import { definedFields } from '../../domain/record-fields.ts';
import type { UserRole } from '../../domain/scope.ts';
import type { StoredContent } from '../../store/files/contents.ts';

/** Messages that a provider has received from one person at once (spec 15.6). */
export interface InboundEntry {
  /** The provider's id: a second entry with the same id is the same entry. */
  id: string;
  /** ISO 8601 UTC: when the person sent it. */
  at?: string | undefined;
  from: {
    id: string;
    name?: string | undefined;
    telephone?: string | undefined;
    email?: string | undefined;
    /** Whether the person opts out with this entry, or in again. */
    optedOut?: boolean | undefined;
  };
  messages: InboundMessage[];
  media?: InboundMedia[] | undefined;
}

export interface InboundMedia {
  url: string;
  type: string;
}

export interface InboundMessage {
  text: string;
  type?: 'chat' | 'postback' | undefined;
  contentType?: ContentType | undefined;
  meta?: Meta | undefined;
  /** By default the id of the entry. */
  externalId?: string | undefined;
}

/** Body of the row of an entry. `by`: the user who creates the messages. */
export interface InboundRow {
  entry: InboundEntry;
  by: { user: string; organization: string; role: UserRole };
}

interface Channel {
  id: string;
  type: string;
  touchpoint: string;
  organization: string;
}

/** Body of the row of a mail, which is a file until it is read (spec 15.11). */
export interface MailRow extends Pick<InboundRow, 'by'> {
  mail: {
    /** The file of the whole mail. */
    file: StoredContent;
    bytes: number;
    /** SHA-256 of the whole mail. */
    digest: string;
    /** Its address, for the message. */
    url: string;
    /** The conversation of the file until the mail is posted. */
    pending: string;
    /** The address that the mail was sent to, and its sender. The sender of a bounce is empty. */
    to: string;
    sender: string;
  };
}

export interface UnreadablePost {
  problem: string;
  post: string;
}

/** Where a provider posts (spec 15.8). */
export function inboundUrl(publicUrl: string, service: string): string {
  return `${publicUrl}/channels/${service}/inbound`;
}

/** Mailgun posts whole mails only to addresses that end with `mime` (spec 15.12). */
export function mailUrl(
  publicUrl: string,
  { service, signature }: { service: string; signature: string },
): string {
  return `${publicUrl}/channels/${service}/${signature}/mime`;
}

export function receiptsUrl(
  publicUrl: string,
  { service, message }: { service: string; message: string },
): string {
  return `${publicUrl}/channels/${service}/receipts/${message}`;
}

const DIGITS = 24;

type RowChannel = Pick<Channel, 'id' | 'organization'>;
type Arrival = { sequence: number; now: string; shards: number };

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, DIGITS);

/** Returns the row of an entry, in the lane of its sender. `sequence`: order of arrival. */
export function inboundRow({ entry, by }: InboundRow, channel: RowChannel, arrival: Arrival): DeliveryRow {
  const body = JSON.stringify({ entry, by } satisfies InboundRow);
  return buildRow({ id: entry.id, lane: entry.from.id, body }, channel, arrival);
}

/**
 * Returns the row of a mail, in the lane of its sender. `origin`: identifies the mail in a mailbox.
 * Without it, the same mail has the same row.
 */
export function mailRow(
  { origin, ...row }: MailRow & { origin?: string | undefined },
  channel: RowChannel,
  arrival: Arrival,
): DeliveryRow {
  const { digest: hash, to, sender } = row.mail;
  const body = JSON.stringify(row satisfies MailRow);
  return buildRow({ id: origin ?? `mail ${hash} ${to}`, lane: `mail ${sender}`, body }, channel, arrival);
}

const MAX_POST = 16_000;

/** Returns a row that fails with the problem. `origin`: as of `mailRow`. */
export function unreadableRow(
  { problem, post, origin }: UnreadablePost & { origin?: string | undefined },
  channel: RowChannel,
  arrival: Arrival,
): DeliveryRow {
  const body = JSON.stringify({ problem, post: post.slice(0, MAX_POST) } satisfies UnreadablePost);
  return buildRow({ id: origin ?? `unreadable ${post}`, lane: 'unreadable', body }, channel, arrival);
}

/** Returns the id of a row. `id`: the origin of a mail, or another id of what was received. */
export function computeRowId(service: string, id: string): string {
  return `${toEventId(service, id)}:${service}`;
}

function toEventId(service: string, id: string): string {
  return `${digest(`${service} ${id}`)}-1`;
}

function buildRow(
  { id, lane, body }: { id: string; lane: string; body: string },
  { id: service, organization }: RowChannel,
  { sequence, now, shards }: Arrival,
): DeliveryRow {
  return {
    _id: computeRowId(service, id),
    event: 'channel.inbound',
    eventId: toEventId(service, id),
    service,
    organization,
    lane: inboundLane(service, digest(lane)),
    shard: computeShard(service, shards),
    pace: 'prompt',
    sequence,
    status: 'pending',
    body,
    createdAt: now,
    attempts: [],
    direction: 'in',
  };
}

/** Returns the upsert of an entry (spec 5.7). `name`: of a conversation that begins. */
export function buildInboundPost(
  entry: InboundEntry,
  channel: Channel,
  {
    profile,
    name,
    isNote = false,
  }: { profile?: object | undefined; name?: string | undefined; isNote?: boolean },
) {
  const { from } = entry;
  const { id: service, organization } = channel;
  return {
    organization,
    type: 'contact',
    contact: {
      identity: { service, id: from.id, ...definedFields({ name: from.name }) },
      ...definedFields({ profile }),
    },
    ...definedFields({ name }),
    messages: buildInboundMessages(entry, channel, isNote),
  };
}

/** `isNote`: on the back channel with role system. */
export function buildInboundMessages(
  { id, at, messages }: InboundEntry,
  { id: service, type: serviceType, touchpoint }: Channel,
  isNote: boolean,
) {
  return messages.map((message, index) => ({
    ...message,
    ...(isNote ? { role: 'system' as const, isBackchannel: true } : { role: 'contact' as const }),
    touchpoint,
    service,
    serviceType,
    externalId: message.externalId ?? (messages.length === 1 ? id : `${id}#${index + 1}`),
    ...(at === undefined ? {} : { meta: { ...message.meta, sentAt: at } }),
  }));
}
