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

/** How an organization shows itself to its contacts (spec 13.2). */
export interface Appearance extends WidgetSettings {
  /** What it calls itself. */
  title: string;
  logo?: string;
}

/** How long the secret that another one replaced is good. */
const BOTH_MS = 24 * 3600 * 1000;

// That there is no such organization is remembered too: who asks learns nothing from the time.
const appearances = ttlCache<Appearance | null>({ maxAgeMs: 5_000, max: 10_000, load: loadAppearance });

/**
 * How the organization shows itself, at most five seconds old; null where there is none. This
 * process sees its own changes at once.
 */
export function getAppearance(organization: string): Promise<Appearance | null> {
  return appearances.get(organization);
}

/** Call after an organization was changed by this process. */
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

/** The secrets that identities may be signed with now, the current one first. */
export async function findWidgetSecrets(organization: string): Promise<string[]> {
  const found = await loadSecret(organization);
  if (!found) return [];
  const { secret, former } = found;
  return [secret, ...(former && former.until > storeDate() ? [former.secret] : [])].filter((one) =>
    isUsableSecret(one),
  );
}

/**
 * What is stored of an organization's secret; undefined where it has none, null where it is out of
 * reach.
 */
export async function findWidgetSecret(
  reach: Reach,
  organization: string,
): Promise<WidgetSecret | undefined | null> {
  return (await isWithinReach(reach, organization)) ? loadSecret(organization) : null;
}

/**
 * Gives an organization within reach a secret; the one that it replaces is good for a day more.
 * Null where there is no such organization.
 */
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

/** Forgets an organization's secrets at once. False where it has none, or is out of reach. */
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
