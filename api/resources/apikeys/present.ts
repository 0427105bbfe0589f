import { presentRecord } from '../../../domain/shown.ts';
import type { ApiKeyDocument } from '../../../store/accounts/apikeys.ts';

/** An API key as the API shows it: never with its token (spec 3.6). */
export function presentApiKey(key: ApiKeyDocument): Record<string, unknown> {
  return presentRecord(key, ['user', 'name', 'scopes', 'createdBy', 'createdAt', 'lastUsedAt']);
}
