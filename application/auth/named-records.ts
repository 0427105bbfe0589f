import { unprocessable } from '../../domain/errors.ts';
import { ID } from '../../domain/id.ts';
import { RESOURCES } from '../../domain/resources.ts';
import type { NamedRecord, ResourceName } from '../../domain/resources.ts';
import { findUsers } from '../../store/accounts/users.ts';
import { findServicesByIds } from '../../store/delivery/services.ts';
import type { Reach } from '../../store/queries/reach.ts';
import { channelRecords } from '../../store/records/channels.ts';
import { formRecords } from '../../store/records/forms.ts';

type Known = readonly Pick<NamedRecord, 'id'>[];

type FindVisible = (reach: Reach, ids: readonly string[]) => Promise<{ _id: string }[]>;

const FINDERS: Partial<Record<ResourceName, FindVisible>> = {
  users: findUsers,
  forms: formRecords.findMany,
  channels: channelRecords.findMany,
  services: (reach, ids) => (reach.guest === undefined ? findServicesByIds(reach, ids) : Promise.resolve([])),
};

/** Throws DomainError `unprocessable` for a record that is neither visible nor known (spec 4.5). */
export async function assertNamesVisible(
  named: readonly NamedRecord[],
  reach: Reach,
  findKnown: (unseen: readonly NamedRecord[]) => Known | Promise<Known> = () => [],
): Promise<void> {
  const unseen = await findUnseen(named.filter(isReference), reach);
  if (unseen.length === 0) return;
  const known = new Set((await findKnown(unseen)).map(({ id }) => id));
  const first = unseen.find(({ id }) => !known.has(id));
  if (first) throw unprocessable(`there is no such ${RESOURCES[first.to].noun}`, first.path);
}

/** See spec 4.5. */
function isReference({ to, id }: NamedRecord): boolean {
  return to !== 'services' || ID.test(id);
}

async function findUnseen(named: readonly NamedRecord[], reach: Reach): Promise<NamedRecord[]> {
  const unseen = await Promise.all(
    Object.entries(FINDERS).map(async ([kind, find]) => {
      const ofKind = named.filter(({ to }) => to === kind);
      if (ofKind.length === 0) return [];
      const found = await find(reach, [...new Set(ofKind.map(({ id }) => id))]);
      const seen = new Set(found.map(({ _id }) => _id));
      return ofKind.filter(({ id }) => !seen.has(id));
    }),
  );
  return unseen.flat();
}
