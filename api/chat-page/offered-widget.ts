import { DomainError } from '../../domain/errors.ts';
import { ID } from '../../domain/id.ts';
import { getAppearance } from '../../store/records/widgets.ts';
import type { Appearance } from '../../store/records/widgets.ts';
import type { OpenRequest } from '../request.ts';

/**
 * How the organization of the path shows itself to the website that asks. Throws DomainError
 * `not_found`, in the same words and time, where there is no such organization, where it has no
 * widget, and where the website is none of its origins (spec 13.3).
 */
export async function findOfferedWidget({
  params: { organization = '' },
  client: { origin },
}: Pick<OpenRequest, 'params' | 'client'>): Promise<Appearance> {
  const appearance = ID.test(organization) ? await getAppearance(organization) : null;
  if (appearance?.origins.includes(origin)) return appearance;
  throw new DomainError(
    'not_found',
    'There is no widget here: no such organization, or its meta.widget.origins does not list this website.',
  );
}
