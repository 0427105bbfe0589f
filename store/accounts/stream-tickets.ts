import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Scope } from '../../domain/scope.ts';
import { storeNow } from '../cluster/clock.ts';

/** What opens one stream, once, for a caller who cannot send headers (spec 5.12). */
export interface StreamTicketDocument {
  /** Digest of the ticket: who reads the store cannot use it. */
  _id: string;
  conversation: string;
  /**
   * The claims of the token it was asked with: the stream has no rights that this token has lost
   * since.
   */
  claims: Record<string, unknown>;
  /** What the caller could do when they asked. */
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

/** Keeps a ticket for a minute, and answers when that is over. */
export async function insertStreamTicket(ticket: NewStreamTicket): Promise<Date> {
  const expiresAt = new Date(storeNow() + MAX_AGE_MS);
  await streamTicketModel.create([{ ...ticket, expiresAt }]);
  return expiresAt;
}

/**
 * Uses a ticket up. Null where there is none for this conversation any more; of several at the same
 * time, in whatever processes, one gets it.
 */
export async function useStreamTicket(
  id: string,
  conversation: string,
): Promise<StreamTicketDocument | null> {
  return streamTicketModel
    .findOneAndDelete({ _id: id, conversation, expiresAt: { $gt: new Date(storeNow()) } })
    .lean<StreamTicketDocument>();
}
