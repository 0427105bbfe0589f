import { findService, removeService as eraseService } from '../../../store/delivery/services.ts';
import { removedAnswer } from '../../records/answers.ts';
import { unlessChanged } from '../../records/unless-changed.ts';
import type { Answer, ApiRequest } from '../../request.ts';
import { services } from './present.ts';

/** DELETE /services/{id}. */
export async function removeService(request: ApiRequest): Promise<Answer> {
  const { principal, id } = request;
  const find = () => findService(principal.reach, id);
  const removed = await unlessChanged(
    request,
    { ...services, find },
    async ({ _id }, seen) => (await eraseService(principal.reach, _id, seen)) || null,
  );
  return removedAnswer(services, removed !== null);
}
