import { definedFields } from '../record-fields.ts';

/**
 * Delivery statuses of a carried message, in rising order (spec 15.4). A message that the provider
 * reports as failed may still arrive, so proof of arrival ranks above `failed`.
 */
export const MESSAGE_DELIVERY_STATUSES = ['queued', 'sent', 'failed', 'delivered', 'read'] as const;
export type MessageDeliveryStatus = (typeof MESSAGE_DELIVERY_STATUSES)[number];

export const RECEIPT_STATUSES = ['sent', 'failed', 'delivered', 'read'] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

export interface DeliveryError {
  code: string;
  message: string;
}

/** The delivery of a message by a channel service (spec 15.4). */
export interface MessageDelivery {
  status: MessageDeliveryStatus;
  /** ISO 8601 UTC: the time of the status. */
  at: string;
  service: string;
  /** The provider's id of the message. */
  externalId?: string;
  /** Set while the status is `failed`. */
  error?: DeliveryError;
}

export interface Receipt {
  status: ReceiptStatus;
  /** ISO 8601 UTC. */
  at: string;
  externalId?: string | undefined;
  error?: DeliveryError | undefined;
}

export function rankStatus(status: MessageDeliveryStatus): number {
  return MESSAGE_DELIVERY_STATUSES.indexOf(status);
}

export function statusesBelow(status: ReceiptStatus): MessageDeliveryStatus[] {
  return MESSAGE_DELIVERY_STATUSES.slice(0, rankStatus(status));
}

/** Returns the delivery after a receipt. A receipt changes nothing unless it raises the status. */
export function deliveryAfter(delivery: MessageDelivery, receipt: Receipt): MessageDelivery {
  const { status, at, externalId = delivery.externalId, error } = receipt;
  if (rankStatus(status) <= rankStatus(delivery.status)) return delivery;
  const { service } = delivery;
  return {
    status,
    at,
    service,
    ...definedFields({ externalId, error: status === 'failed' ? error : undefined }),
  };
}

const MAX_CODE = 100;
const MAX_REASON = 1_000;

export function boundedError({ code, message }: DeliveryError): DeliveryError {
  return { code: code.slice(0, MAX_CODE), message: message.slice(0, MAX_REASON) };
}
