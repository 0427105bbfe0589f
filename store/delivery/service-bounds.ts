import { createFairTurns } from '../../platform/concurrency/fair-turns.ts';
import {
  assertRoomForPatterns,
  assertRoomForService,
  sharedQuotaPath,
  patternCharacters,
} from '../../domain/delivery/service-bounds.ts';
import type { CountedService, Recipient } from '../../domain/delivery/service-bounds.ts';
import { subtreeFilter } from '../queries/reach.ts';
import { organizationContext, organizationModel } from '../records/organizations.ts';
import { insertService, serviceModel } from './services.ts';
import type { ServiceDocument } from './services.ts';

type BoundedService = Pick<ServiceDocument, '_id' | 'organization' | 'params'>;

/** As many tenants register services at once. */
const TENANTS_AT_ONCE = 4;
const registrations = createFairTurns(TENANTS_AT_ONCE);

/**
 * Stores a new service. Throws DomainError `unprocessable` where it would be one too many for its
 * organization or one below it (spec 7.1). Services that are stored already stay.
 */
export async function insertServiceWithinBounds(service: ServiceDocument): Promise<void> {
  const path = await findPath(service);
  await registrations.run(path[1] ?? path[0], async () => {
    await assertServiceFits(service);
    await insertService(service);
    try {
      // Another process may have stored one at the same time.
      await assertServiceFits(service);
    } catch (error) {
      await serviceModel.deleteOne({ _id: service._id });
      throw error;
    }
  });
}

async function assertServiceFits(service: BoundedService): Promise<void> {
  const { others, recipients } = await countServices(service);
  assertRoomForService(others, recipients);
  assertRoomForPatterns(countedService(service), others, recipients);
}

/** Throws DomainError `unprocessable` where longer patterns of a service would be too many. */
export async function assertPatternsFit(
  found: BoundedService,
  params: ServiceDocument['params'] | undefined,
): Promise<void> {
  if (!params || patternCharacters(params) <= patternCharacters(found.params)) return;
  const changed = countedService({ ...found, params });
  const { others, recipients } = await countServices(found);
  assertRoomForPatterns(changed, others, recipients);
}

async function countServices(
  service: BoundedService,
): Promise<{ others: CountedService[]; recipients: Recipient[] }> {
  const path = await findPath(service);
  const recipients = path.length > 1 ? await findBelow(path) : [{ path }];
  const counted = new Set([...sharedQuotaPath(path), ...recipients.map((one) => one.path.at(-1) ?? '')]);
  const services = await serviceModel.collection
    .find({ organization: { $in: [...counted] } }, { projection: { organization: 1, 'params.events': 1 } })
    .toArray();
  return { others: services.filter((other) => other._id !== service._id).map(countedService), recipients };
}

async function findPath({ organization }: BoundedService): Promise<[string, ...string[]]> {
  const [first = organization, ...below] = (await organizationContext(organization))?.path ?? [];
  return [first, ...below];
}

/** The organization at the end of the path, and those below it. */
async function findBelow(path: [string, ...string[]]): Promise<Recipient[]> {
  const found = await organizationModel.find(subtreeFilter(path), { path: 1 }).lean<{ path: string }[]>();
  return [{ path }, ...found.map((one) => ({ path: one.path.split('#') }))];
}

function countedService({
  organization,
  params,
}: Pick<BoundedService, 'organization' | 'params'>): CountedService {
  return { organization, events: params.events };
}
