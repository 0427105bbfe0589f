import { newId } from '../../store/queries/identifier.ts';
import { organizationModel } from '../../store/records/organizations.ts';

/** Stores an organization directly in the connected store and returns its id. */
export async function storedOrganization({ _id = newId(), parent }: { _id?: string; parent?: string } = {}) {
  const now = new Date();
  const place =
    parent === undefined ? { path: _id, level: 0 } : { path: `${parent}#${_id}`, parent, level: 1 };
  const fields = { name: _id, tags: [], categories: [], meta: {}, createdAt: now, updatedAt: now };
  await organizationModel.create([{ _id, ...place, ...fields }]);
  return _id;
}
