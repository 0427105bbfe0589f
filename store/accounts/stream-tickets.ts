import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Scope } from '../../domain/scope.ts';
import { storeNow } from '../cluster/clock.ts';

/** Ticket that opens one stream, once, for a caller that cannot send headers (spec 5.12). */
export interface StreamTicketDocument {
  /** Digest of the ticket, so that read access to the store cannot use it. */
  _id: string;
  conversation: string;
  /**
   * Claims of the token that requested the ticket. The stream loses the rights that this token
   * loses.
   */
  claims: Record<string, unknown>;
  /** The caller's scope when the ticket was issued. */
  scope: Scope;
  expiresAt: Date;
}

export type NewStreamTicket = Omit<StreamTicketDocument, 'expiresAt'>;

const MAX_AGE_MS = 60_000;

const streamTicketSchema = new mongoose.Schema<StreamTicketDocument>(
  { _id: String, conversation: String, claims: Object, scope: String, expiresAt: Date },
  { collection: 'streamtickets', versionKey: false, strict: true },
);

streamTicketSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const streamTicketModel = defineModel<StreamTicketDocument>('StreamTicket', streamTicketSchema);

/** Stores a ticket for one minute. Returns the time at which it expires. */
export async function insertStreamTicket(ticket: NewStreamTicket): Promise<Date> {
  const expiresAt = new Date(storeNow() + MAX_AGE_MS);
  await streamTicketModel.create([{ ...ticket, expiresAt }]);
  return expiresAt;
}

/**
 * Consumes a ticket. Returns null if it is unknown, used, expired or for another conversation. Of
 * concurrent calls, in any process, only one gets it.
 */
export async function useStreamTicket(
  id: string,
  conversation: string,
): Promise<StreamTicketDocument | null> {
  return streamTicketModel
    .findOneAndDelete({ _id: id, conversation, expiresAt: { $gt: new Date(storeNow()) } })
    .lean<StreamTicketDocument>();
}
