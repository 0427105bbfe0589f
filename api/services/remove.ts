import { removeService as eraseService } from '../../store/services.ts';
import { removedAnswer } from '../records/answers.ts';
import type { Answer, ApiRequest } from '../request.ts';
import { services } from './present.ts';

/** DELETE /services/{id}. */
export async function removeService({ principal, params }: ApiRequest): Promise<Answer> {
  return removedAnswer(services, await eraseService(principal.reach, params['id'] ?? ''));
}
