import { isUsableSecret } from '../../domain/delivery/signing-secret.ts';
import { widgetSettings } from '../../domain/widget.ts';
import type { WidgetSettings } from '../../domain/widget.ts';
import type { Meta } from '../../domain/messages/message.ts';
import { storeDate } from '../cluster/clock.ts';
import { isWithinReach } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { organizationModel } from './organizations.ts';
import type { OrganizationDocument, WidgetSecret } from './organizations.ts';

export interface Appearance extends WidgetSettings {
  title: string;
  logo?: string;
}

/** A replaced secret stays valid for a day. */
const BOTH_MS = 24 * 3600 * 1000;

// Caches null too, so that the response time does not reveal which organizations exist.
const appearances = ttlCache<Appearance | null>({ maxAgeMs: 5_000, max: 10_000, load: loadAppearance });

/** Returns an appearance at most five seconds old. This process sees its own changes at once. */
export function getAppearance(organization: string): Promise<Appearance | null> {
  return appearances.get(organization);
}

/** Call after changing an organization. */
export function forgetAppearance(organization: string): void {
  appearances.forget(organization);
}

async function loadAppearance(id: string): Promise<Appearance | null> {
  const found = await organizationModel
    .findById(id, { name: 1, displayName: 1, logo: 1, 'meta.widget': 1 })
    .lean<Pick<OrganizationDocument, 'name' | 'displayName' | 'logo'> & { meta?: Meta }>();
  if (!found) return null;
  const { name, displayName, logo, meta } = found;
  return { title: displayName ?? name, ...(logo ? { logo } : {}), ...widgetSettings(meta ?? {}) };
}

/** Returns the valid secrets, the current secret first. */
export async function findWidgetSecrets(organization: string): Promise<string[]> {
  const found = await loadSecret(organization);
  if (!found) return [];
  const { secret, former } = found;
  return [secret, ...(former && former.until > storeDate() ? [former.secret] : [])].filter((one) =>
    isUsableSecret(one),
  );
}

/** Returns undefined without a secret, null if the organization is out of reach. */
export async function findWidgetSecret(
  reach: Reach,
  organization: string,
): Promise<WidgetSecret | undefined | null> {
  return (await isWithinReach(reach, organization)) ? loadSecret(organization) : null;
}

/** Returns null if the organization is out of reach. */
export async function replaceWidgetSecret(
  reach: Reach,
  organization: string,
  secret: string,
): Promise<WidgetSecret | null> {
  if (!(await isWithinReach(reach, organization))) return null;
  const before = await loadSecret(organization);
  const createdAt = storeDate();
  const until = new Date(createdAt.getTime() + BOTH_MS);
  const widgetSecret: WidgetSecret = {
    secret,
    createdAt,
    ...(before ? { former: { secret: before.secret, until } } : {}),
  };
  await organizationModel.updateOne({ _id: organization }, { $set: { widgetSecret } });
  return widgetSecret;
}

export async function removeWidgetSecret(reach: Reach, organization: string): Promise<boolean> {
  if (!(await isWithinReach(reach, organization))) return false;
  const { modifiedCount } = await organizationModel.updateOne(
    { _id: organization, widgetSecret: { $exists: true } },
    { $unset: { widgetSecret: '' } },
  );
  return modifiedCount > 0;
}

async function loadSecret(organization: string): Promise<WidgetSecret | undefined> {
  const found = await organizationModel
    .findById(organization, { widgetSecret: 1 })
    .lean<Pick<OrganizationDocument, 'widgetSecret'>>();
  return found?.widgetSecret;
}
