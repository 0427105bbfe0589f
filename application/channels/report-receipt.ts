import { rankStatus } from '../../domain/channels/receipt.ts';
import type { Receipt } from '../../domain/channels/receipt.ts';
import { deliveryRows } from '../../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import type { EventRecord } from '../../domain/events/event-record.ts';
import { isSubscribed } from '../../domain/events/subscriptions.ts';
import { definedFields } from '../../domain/record-fields.ts';
import {
  addExternalId,
  findCarried,
  raiseKnownStatus,
  raiseStatus,
} from '../../store/conversations/receipts.ts';
import type { CarriedMessage } from '../../store/conversations/receipts.ts';
import { noteReceipt } from '../../store/conversations/presences.ts';
import { findConversation } from '../../store/conversations/find-conversations.ts';
import { insertDeliveries } from '../../store/delivery/deliveries.ts';
import { findSubscribers } from '../../store/delivery/services.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { presentMessage } from '../presenters/presenters.ts';

export interface ReceiptDeps {
  publicUrl: string;
  deliveryShards: number;
  posting: { conversations: { refresh: (conversation: string, id: string) => Promise<unknown> } };
}

/** `raised`: the receipt is stored. `known`: the status was as high before. */
export type ReceiptResult = 'raised' | 'known' | 'unknown';

/**
 * Raises the delivery status of a message and queues `message.receipt` (spec 15.4). Repeatable: the
 * id of the event is stable. Returns the queued deliveries.
 */
export async function reportReceipt(
  deps: ReceiptDeps,
  {
    message,
    service,
    receipt,
    known,
  }: { message: string; service: string; receipt: Receipt; known?: CarriedMessage },
): Promise<{ result: ReceiptResult; rows: DeliveryRow[] }> {
  const raised = await (known ? raiseKnownStatus(known, receipt) : raiseStatus(message, service, receipt));
  const found = raised ?? (await findCarried(message, service));
  if (!found) return { result: 'unknown', rows: [] };
  const { delivery } = found;
  // A receipt may come before the response of the send.
  if (!raised && receipt.externalId !== undefined && delivery.externalId === undefined) {
    await addExternalId(message, service, receipt.externalId);
  }
  // A process may have stopped after it stored this receipt.
  if (delivery.status !== receipt.status) return { result: 'known', rows: [] };
  await noteReceipt(found.conversation);
  if (raised && delivery.status === 'failed') showFailure(deps, found);
  return { result: raised ? 'raised' : 'known', rows: await queueEvent(deps, found) };
}

/**
 * Shows the failure in the details of the conversation's workflow, which only operators see. Does
 * not wait for Temporal.
 */
function showFailure({ posting }: ReceiptDeps, { _id, conversation, delivery }: CarriedMessage): void {
  const id = `undelivered-${_id}-${delivery.at}`;
  posting.conversations.refresh(conversation, id).catch(() => undefined);
}

async function queueEvent(
  { publicUrl, deliveryShards: shards }: ReceiptDeps,
  message: CarriedMessage,
): Promise<DeliveryRow[]> {
  const { organization } = message;
  const line = (await organizationContext(organization))?.path ?? [organization];
  const services = (await findSubscribers(line)).filter(({ channel }) => !channel);
  if (services.length === 0) return [];
  const conversation = await findConversation({ organization }, message.conversation);
  if (!conversation) return [];
  const users = conversation.participants.map(({ user }) => user);
  const event = buildEvent(message, { publicUrl, type: conversation.type, users });
  const subscribed = services.filter((one) => isSubscribed(one, event, { line, audience: event.audience }));
  if (subscribed.length === 0) return [];
  const rows = deliveryRows(event, { services: subscribed, line, shards });
  await insertDeliveries(rows);
  return rows;
}

/** The deliveries of one message are in a separate lane, in the order of statuses. */
function buildEvent(
  message: CarriedMessage,
  { publicUrl, type, users }: { publicUrl: string; type: string; users: string[] },
): EventRecord {
  const { _id, organization, conversation, delivery } = message;
  const { status, at, service, externalId, error } = delivery;
  const rank = rankStatus(status);
  return {
    name: `message.receipt.${type}.${message.type}`,
    role: message.role,
    // A message that is sent again may fail again.
    id: `${_id}-${status}-${Date.parse(at)}`,
    timestamp: at,
    organization,
    conversation,
    lane: _id,
    sequence: rank,
    actor: { id: service, kind: 'service' },
    audience: { participants: users, mentioned: [], addressed: false },
    publicUrl,
    data: () => ({
      message: presentMessage(message, publicUrl),
      receipt: { status, at, service, ...definedFields({ externalId, error }) },
    }),
  };
}
