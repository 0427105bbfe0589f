import type { Static } from 'typebox';
import { notFound } from '../../domain/refusal.ts';
import { formerSecretsAfter } from '../../domain/secret-rotation.ts';
import { storeDate } from '../../store/clock.ts';
import { findService, updateService as writeService } from '../../store/services.ts';
import { recordAnswer } from '../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { checkService } from './checks.ts';
import { services } from './present.ts';
import type { servicePatch } from './schema.ts';
import { verified } from './verify.ts';

/**
 * PATCH /services/{id}: params are replaced as a whole; a changed url is verified anew, and a changed secret signs beside
 * the former one for a day (spec 4.4, contract 7).
 */
export async function updateService(
  request: ApiRequest<Static<typeof servicePatch>>,
  api: Api,
): Promise<Answer> {
  const { principal, params: path, body } = request;
  const service = await findService(principal.reach, path['id'] ?? '');
  if (!service) throw notFound('The service');
  await checkService(body, principal);
  const { type: _, ...fields } = body;
  const { params } = body;
  const moved = params !== undefined && params.url !== service.params.url;
  const updated = await writeService(principal.reach, service._id, {
    ...fields,
    ...(params ? { formerSecrets: formerSecretsAfter(service, params.secret, storeDate()) } : {}),
    ...(moved ? { status: 'pending', statusReason: null } : {}),
  });
  return recordAnswer(services, updated && moved ? await verified(updated, request, api) : updated);
}
