import { newId } from '../queries/identifier.ts';
import { serviceModel } from './services.ts';
import type { ServiceDocument } from './services.ts';

/** An active service for which deliveries may be held back. */
export interface ReleaseMark {
  service: string;
  /** Another one each time that there may be more. */
  heldBack: string;
}

/**
 * What is written with a service that becomes active, or may have deliveries held back: whoever
 * sends for it calls them in.
 */
export function newReleaseMark(): Pick<ServiceDocument, 'heldBack'> & { heldBack: string } {
  return { heldBack: newId() };
}

/** Notes that deliveries of a service may be held back. */
export async function noteHeldBack(service: string): Promise<void> {
  await serviceModel.collection.updateOne({ _id: service }, { $set: newReleaseMark() });
}

/**
 * Has what is held back for those of the services called in that are active. Call after holding
 * something back.
 */
export async function markForRelease(services: readonly string[]): Promise<void> {
  const active = await serviceModel.collection
    .find({ _id: { $in: [...services] }, status: 'active' }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of active) await noteHeldBack(_id);
}

/** The active services for which deliveries may be held back. */
export async function findServicesToRelease(): Promise<ReleaseMark[]> {
  const found = await serviceModel.collection
    .find({ heldBack: { $exists: true }, status: 'active' }, { projection: { heldBack: 1 } })
    .toArray();
  return found.map(({ _id, heldBack }) => ({ service: _id, heldBack: String(heldBack) }));
}

/** Notes that nothing is held back any more for a service, unless there may be more since then. */
export async function clearReleaseMark({ service, heldBack }: ReleaseMark): Promise<void> {
  await serviceModel.collection.updateOne(
    { _id: service, heldBack, status: 'active' },
    { $unset: { heldBack: '' } },
  );
}
