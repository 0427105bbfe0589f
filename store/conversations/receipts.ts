import { deliveryAfter, statusesBelow } from '../../domain/channels/receipt.ts';
import type { MessageDelivery, Receipt } from '../../domain/channels/receipt.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { storeDate } from '../cluster/clock.ts';
import { messageModel } from './messages.ts';
import type { MessageDocument } from './messages.ts';
import { NOT_DELETED } from '../queries/find.ts';

export type CarriedMessage = MessageDocument & { delivery: MessageDelivery };

const MAX_AT_ONCE = 200;
/** Lets the index by conversation be used. */
const NUMBERED = { sequence: { $exists: true } } as const;

const readMessages = createBatcher({
  maxItems: MAX_AT_ONCE,
  async write(ids: string[]) {
    const found = await messageModel.collection.find({ _id: { $in: ids }, ...NOT_DELETED }).toArray();
    const byId = new Map(found.map((one) => [one._id, one]));
    return ids.map((id) => byId.get(id) ?? null);
  },
});

/** Returns the message unless it is deleted, or another service carries it. */
export async function findCarried(id: string, service: string): Promise<CarriedMessage | null> {
  const found = (await readMessages(id)) as CarriedMessage | null;
  return found && isCarriedBy(found, service) ? found : null;
}

function isCarriedBy({ delivery }: Partial<CarriedMessage>, service: string): boolean {
  return delivery?.service === service;
}

/**
 * Raises the delivery status of a message, and returns the message. Returns null if the status does
 * not rise (spec 15.4).
 */
export async function raiseStatus(
  id: string,
  service: string,
  receipt: Receipt,
): Promise<CarriedMessage | null> {
  const { filter, update } = buildRaise(id, service, receipt);
  const raised = await messageModel.collection.findOneAndUpdate(filter, update, { returnDocument: 'after' });
  return raised as CarriedMessage | null;
}

function buildRaise(
  id: string,
  service: string,
  { status, at, externalId, error, sentIds }: Receipt & Pick<CarriedMessage, 'sentIds'>,
) {
  const failure = status === 'failed' ? error : undefined;
  return {
    filter: {
      _id: id,
      'delivery.service': service,
      'delivery.status': { $in: statusesBelow(status) },
      ...NOT_DELETED,
    },
    update: {
      $set: {
        'delivery.status': status,
        'delivery.at': at,
        ...definedFields({ 'delivery.externalId': externalId, 'delivery.error': failure, sentIds }),
        receiptAt: storeDate(),
      },
      ...(failure ? {} : { $unset: { 'delivery.error': '' as const } }),
    },
  };
}

interface Raise {
  message: CarriedMessage;
  receipt: Receipt;
}

const writeRaises = createBatcher({
  maxItems: MAX_AT_ONCE,
  async write(raises: Raise[]) {
    const writes = raises.map(({ message: { _id, delivery, sentIds }, receipt }) => ({
      updateOne: buildRaise(_id, delivery.service, { ...receipt, ...definedFields({ sentIds }) }),
    }));
    const { matchedCount } = await messageModel.collection.bulkWrite(writes, { ordered: true });
    return raises.map(() => matchedCount === raises.length);
  },
});

/** Does as `raiseStatus`, at a lower cost, for a message that was just read. Stores `sentIds`. */
export async function raiseKnownStatus(
  message: CarriedMessage,
  receipt: Receipt,
): Promise<CarriedMessage | null> {
  if (await writeRaises({ message, receipt })) {
    return { ...message, delivery: deliveryAfter(message.delivery, receipt) };
  }
  // The server returns only the number of raised statuses.
  const found = await findCarried(message._id, message.delivery.service);
  const { status, at } = receipt;
  return found?.delivery.status === status && found.delivery.at === at ? found : null;
}

/** Does nothing if the message has an external id. */
export async function addExternalId(id: string, service: string, externalId: string): Promise<void> {
  await messageModel.collection.updateOne(
    { _id: id, 'delivery.service': service, 'delivery.externalId': { $exists: false }, ...NOT_DELETED },
    { $set: { 'delivery.externalId': externalId } },
  );
}

export async function noteSentIds(id: string, sentIds: readonly string[]): Promise<void> {
  await messageModel.collection.updateOne({ _id: id }, { $set: { sentIds: [...sentIds] } });
}

export function listSentIds({
  delivery,
  sentIds = [],
}: Pick<MessageDocument, 'delivery' | 'sentIds'>): string[] {
  const { externalId } = delivery ?? {};
  return [...new Set([...sentIds, ...(externalId === undefined ? [] : [externalId])])];
}

/** Selects the ids that other messages of the conversation have, also deleted ones. */
export async function findKnownIds({
  conversation,
  except,
  externalIds,
}: {
  conversation: string;
  except: string;
  externalIds: readonly string[];
}): Promise<Set<string>> {
  const found = await messageModel.collection
    .find(
      {
        ...{ conversation, ...NUMBERED, _id: { $ne: except } },
        $or: [{ sentIds: { $in: [...externalIds] } }, { 'delivery.externalId': { $in: [...externalIds] } }],
      },
      { projection: { delivery: 1, sentIds: 1 } },
    )
    .toArray();
  return new Set(found.flatMap(listSentIds));
}

/** Returns the buttons of the last message that the service has carried since a time. */
export async function findLastButtons(
  conversation: string,
  { service, since }: { service: string; since: Date },
): Promise<Pick<CarriedMessage, 'items' | 'actions'> | null> {
  const filter = {
    ...{ conversation, ...NUMBERED, 'delivery.service': service },
    createdAt: { $gte: since },
    ...NOT_DELETED,
  };
  const options = { sort: { sequence: -1 }, projection: { items: 1, actions: 1 } } as const;
  return messageModel.collection.findOne(filter, options);
}

/** Returns the last messages that a service carried or received before a sequence, oldest first. */
export async function findExchanged(
  conversation: string,
  { service, before, limit }: { service: string; before: number; limit: number },
): Promise<Pick<MessageDocument, '_id' | 'role' | 'meta' | 'createdAt'>[]> {
  const found = await messageModel.collection
    .find(
      { conversation, service, sequence: { $lt: before }, isBackchannel: false, ...NOT_DELETED },
      { sort: { sequence: -1 }, limit, projection: { role: 1, createdAt: 1, 'meta.email': 1 } },
    )
    .toArray();
  return found.reverse();
}

/** Returns how many messages of the contact a service has received, at most `limit`. */
export async function countReceived(
  conversation: string,
  { service, since, limit }: { service: string; since: Date; limit: number },
): Promise<number> {
  const filter = {
    ...{ conversation, ...NUMBERED, service },
    role: 'contact',
    createdAt: { $gte: since },
    ...NOT_DELETED,
  } as const;
  const found = await messageModel.collection.find(filter, { limit, projection: { _id: 1 } }).toArray();
  return found.length;
}

/** Makes a failed message queued again, because its delivery is sent again. */
export async function requeueMessage(id: string, service: string, at: string): Promise<void> {
  await messageModel.collection.updateOne(
    { _id: id, 'delivery.service': service, 'delivery.status': 'failed', ...NOT_DELETED },
    {
      $set: { 'delivery.status': 'queued', 'delivery.at': at, receiptAt: storeDate() },
      $unset: { 'delivery.error': '' },
    },
  );
}

export async function findLastFailed(
  conversation: string,
): Promise<Pick<CarriedMessage, 'touchpoint' | 'delivery'> | null> {
  const found = await messageModel.collection.findOne(
    { conversation, receiptAt: { $exists: true }, 'delivery.status': 'failed', ...NOT_DELETED },
    { sort: { receiptAt: -1 }, projection: { touchpoint: 1, delivery: 1 } },
  );
  return found as CarriedMessage | null;
}

/** Returns the messages with a receipt since a time, oldest first. */
export async function findReceipts(
  conversation: string,
  { since, limit }: { since: Date; limit: number },
): Promise<CarriedMessage[]> {
  const found = await messageModel.collection
    .find({ conversation, receiptAt: { $gte: since }, ...NOT_DELETED })
    .sort({ receiptAt: 1, _id: 1 })
    .limit(limit)
    .toArray();
  return found as CarriedMessage[];
}
