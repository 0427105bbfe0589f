import { notFound, unavailable } from '../../domain/refusal.ts';
import type { Patch } from '../../store/patch.ts';
import { findService, updateService } from '../../store/services.ts';
import type { ServiceDocument } from '../../store/services.ts';
import type { ApiRequest } from '../request.ts';

/** So often may others be faster; each of them has changed the service by then. */
const MOST_TRIES = 100;

/**
 * Changes a service by what `patchOf` makes of it as it is found; where its url or status is another by then it is found anew. Resolves when
 * every process goes by it. Throws DomainError `not_found`.
 */
export async function changeService(
  { principal, params }: Pick<ApiRequest, 'principal' | 'params'>,
  patchOf: (found: ServiceDocument) => Promise<Patch<ServiceDocument>>,
): Promise<ServiceDocument> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const found = await findService(principal.reach, params['id'] ?? '');
    if (!found) throw notFound('The service');
    const changed = await updateService(principal.reach, found, await patchOf(found));
    if (changed) return changed;
  }
  throw unavailable();
}
