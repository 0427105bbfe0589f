import { toRatingForm } from '../../domain/messages/rating.ts';
import type { RatingForm } from '../../domain/messages/rating.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { findFormFacts } from './forms.ts';
import { organizationContext, organizationModel } from './organizations.ts';
import type { OrganizationDocument } from './organizations.ts';

const ratingForms = ttlCache<RatingForm | null>({ maxAgeMs: 5_000, max: 10_000, load: loadRatingForm });

/**
 * Returns the form of the nearest organization that has one (spec 10.11), at most five seconds
 * old.
 */
export function findRatingForm(organization: string): Promise<RatingForm | null> {
  return ratingForms.get(organization);
}

async function loadRatingForm(organization: string): Promise<RatingForm | null> {
  const path = (await organizationContext(organization))?.path ?? [];
  const found = await organizationModel
    .find({ _id: { $in: path }, ratingForm: { $exists: true } }, { ratingForm: 1, level: 1 })
    .sort({ level: -1 })
    .limit(1)
    .lean<Pick<OrganizationDocument, 'ratingForm'>[]>();
  const id = found[0]?.ratingForm;
  if (id === undefined) return null;
  const [form] = await findFormFacts({ path, usable: [] }, [id]);
  return form ? toRatingForm(form) : null;
}
