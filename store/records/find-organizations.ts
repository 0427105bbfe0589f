import { unchangedFilter, toUpdateOperators } from '../queries/patch.ts';
import { findFirst } from '../queries/find.ts';
import type { BoundedSearch } from '../queries/find.ts';
import { insertOnce } from '../queries/insert.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { forgetOrganizationContext, organizationContext, organizationModel } from './organizations.ts';
import type { OrganizationDocument } from './organizations.ts';
import { insertInto } from './organization-removal.ts';
import { adaptLater } from './list-changes.ts';
import { forgetAppearance } from './widgets.ts';
import type { Patch } from '../queries/patch.ts';
import { subtreeFilter, isWithinReach } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

export async function findOrganization(reach: Reach, id: string): Promise<OrganizationDocument | null> {
  const found = await organizationModel.findById(id).lean<OrganizationDocument>();
  return found && (await isWithinReach(reach, found._id)) ? found : null;
}

export async function findOrganizationsByIds(
  reach: Reach,
  ids: readonly string[],
): Promise<OrganizationDocument[]> {
  const found = await organizationModel.find({ _id: { $in: [...ids] } }).lean<OrganizationDocument[]>();
  const covered = await Promise.all(found.map(({ _id }) => isWithinReach(reach, _id)));
  return found.filter((_, at) => covered[at]);
}

export async function listOrganizations(reach: Reach, query: ListQuery): Promise<Page<OrganizationDocument>> {
  const line = await organizationContext(reach.organization);
  if (!line) return { records: [], total: 0 };
  return findPage(organizationModel, subtreeFilter(line.path), query);
}

export async function firstOrganization(
  reach: Reach,
  search: BoundedSearch,
): Promise<OrganizationDocument | null> {
  const line = await organizationContext(reach.organization);
  return line && findFirst(organizationModel, subtreeFilter(line.path), search);
}

/** Returns null if the parent is out of reach. Throws as `insertInto` does. */
export async function insertBelow(
  reach: Reach,
  parent: string,
  fields: Omit<OrganizationDocument, 'parent' | 'path' | 'level'>,
): Promise<OrganizationDocument | null> {
  const above = await findOrganization(reach, parent);
  if (!above) return null;
  const place = { parent: above._id, path: `${above.path}#${fields._id}`, level: above.level + 1 };
  const organization: OrganizationDocument = { ...fields, ...place };
  await insertInto(above._id, () => insertOnce(organizationModel, organization), {
    takeBack: () => organizationModel.deleteOne({ _id: organization._id }),
    field: 'parent',
  });
  forgetAppearance(organization._id);
  return organization;
}

/** Returns null if the organization is out of reach or differs from `seen`. */
export async function updateOrganization(
  reach: Reach,
  id: string,
  patch: Patch<OrganizationDocument>,
  seen?: OrganizationDocument,
): Promise<OrganizationDocument | null> {
  const organization = await findOrganization(reach, id);
  if (!organization) return null;
  const updated = await organizationModel
    .findOneAndUpdate(
      { _id: organization._id, ...unchangedFilter(organizationModel, seen) },
      toUpdateOperators({
        ...patch,
        ...('timers' in patch ? { retimeAt: adaptLater() } : {}),
        ...('categories' in patch ? { reindexAt: adaptLater() } : {}),
      }),
      { returnDocument: 'after' },
    )
    .lean<OrganizationDocument>();
  forgetOrganizationContext(id);
  forgetAppearance(id);
  return updated;
}

export async function deleteRemoved(id: string): Promise<void> {
  await organizationModel.deleteOne({ _id: id, removedAt: { $exists: true } });
  forgetOrganizationContext(id);
  forgetAppearance(id);
}
