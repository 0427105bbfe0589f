import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Scope } from '../../domain/scope.ts';
import { storeNow } from '../cluster/clock.ts';

/** Opens one stream for a client that cannot send headers (spec 5.12). */
export interface StreamTicketDocument {
  /** Digest of the ticket. */
  _id: string;
  conversation: string;
  /** Claims of the requesting token, whose rights the stream has. */
  claims: Record<string, unknown>;
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

export async function insertStreamTicket(ticket: NewStreamTicket): Promise<Date> {
  const expiresAt = new Date(storeNow() + MAX_AGE_MS);
  await streamTicketModel.create([{ ...ticket, expiresAt }]);
  return expiresAt;
}

/** Returns null if the ticket is unknown, used, expired or for another conversation. */
export async function useStreamTicket(
  id: string,
  conversation: string,
): Promise<StreamTicketDocument | null> {
  return streamTicketModel
    .findOneAndDelete({ _id: id, conversation, expiresAt: { $gt: new Date(storeNow()) } })
    .lean<StreamTicketDocument>();
}
