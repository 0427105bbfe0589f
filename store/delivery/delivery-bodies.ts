import mongoose from 'mongoose';
import { rowsWithSharedBody } from '../../domain/delivery/delivery-bounds.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import { storeNow } from '../cluster/clock.ts';
import { defineModel } from '../connection/model.ts';
import { insertMissing } from '../queries/insert.ts';

interface DeliveryBodyDocument {
  /** The event's id. */
  _id: string;
  body: string;
  conversation?: string;
  /** Next check whether a delivery refers to the body. */
  checkAt: Date;
}

const deliveryBodySchema = new mongoose.Schema<DeliveryBodyDocument>(
  { _id: String, body: String, conversation: String, checkAt: Date },
  { collection: 'deliverybodies', versionKey: false, strict: true },
);

deliveryBodySchema.index({ conversation: 1 });
deliveryBodySchema.index({ checkAt: 1 });

const deliveryBodyModel = defineModel<DeliveryBodyDocument>('DeliveryBody', deliveryBodySchema);

const DAY_MS = 24 * 3600 * 1000;

/**
 * Returns the events whose body is shared: their rows are stored without it. Call before storing
 * the rows. Repeatable.
 */
export async function shareBodies(rows: readonly DeliveryRow[]): Promise<ReadonlySet<string>> {
  const shared = rowsWithSharedBody(rows);
  if (shared.length === 0) return new Set();
  const checkAt = new Date(storeNow() + DAY_MS);
  await insertMissing(
    deliveryBodyModel.collection,
    shared.map(({ eventId, body, conversation }) => ({
      ...{ _id: eventId, body, checkAt },
      ...(conversation === undefined ? {} : { conversation }),
    })),
  );
  return new Set(shared.map(({ eventId }) => eventId));
}

/** Leaves out removed bodies. */
export async function withBodies<R extends { eventId: string; body?: string }>(rows: R[]): Promise<R[]> {
  const missing = rows.filter(({ body }) => body === undefined).map(({ eventId }) => eventId);
  if (missing.length === 0) return rows;
  const found = await deliveryBodyModel.collection
    .find({ _id: { $in: [...new Set(missing)] } }, { projection: { body: 1 } })
    .toArray();
  const bodies = new Map(found.map(({ _id, body }) => [_id, body]));
  return rows.map((row) => {
    const body = row.body ?? bodies.get(row.eventId);
    return body === undefined ? row : { ...row, body };
  });
}

export async function removeConversationBodies(
  conversation: string,
  butEvents: readonly string[],
): Promise<void> {
  await deliveryBodyModel.collection.deleteMany({ conversation, _id: { $nin: [...butEvents] } });
}

const CHECKED_AT_ONCE = 200;

/** Removes due bodies of events without deliveries. Returns whether more may be due. */
export async function removeUnusedBodies(
  now: Date,
  isUsed: (eventId: string) => Promise<boolean>,
): Promise<boolean> {
  const found = await deliveryBodyModel.collection
    .find({ checkAt: { $lte: now } }, { projection: { _id: 1 }, limit: CHECKED_AT_ONCE })
    .toArray();
  const [used, unused]: [string[], string[]] = [[], []];
  for (const { _id } of found) ((await isUsed(_id)) ? used : unused).push(_id);
  if (unused.length > 0) await deliveryBodyModel.collection.deleteMany({ _id: { $in: unused } });
  if (used.length > 0) {
    const checkAt = new Date(now.getTime() + DAY_MS);
    await deliveryBodyModel.collection.updateMany({ _id: { $in: used } }, { $set: { checkAt } });
  }
  return found.length === CHECKED_AT_ONCE;
}
