import { unavailable } from '../../../domain/errors.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { updateService } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { recordTarget, withIfMatch } from '../../records/if-match.ts';
import type { ApiRequest } from '../../request.ts';
import { services } from './schema.ts';

/** A try fails only after a concurrent change. */
const MAX_TRIES = 100;

/**
 * Tries again if url or status change concurrently. Resolves when all processes use the new state.
 * Throws DomainError `not_found` or `precondition_failed`.
 */
export async function changeService(
  request: Pick<ApiRequest, 'principal' | 'id' | 'ifMatch'>,
  buildPatch: (found: ServiceDocument) => Promise<Patch<ServiceDocument>>,
): Promise<ServiceDocument> {
  const changing = recordTarget(services, request);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const changed = await withIfMatch(request, changing, async (found, seen) =>
      updateService(request.principal.reach, found, await buildPatch(found), seen),
    );
    if (changed) return changed;
  }
  throw unavailable();
}
