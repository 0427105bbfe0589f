import { listOrganizations as findOrganizations } from '../../../store/records/find-organizations.ts';
import { listAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { organizations } from './present.ts';
import { organizationPaths } from './schema.ts';

/** GET /organizations. */
export function listOrganizations(request: ApiRequest, api: Api): Promise<Answer> {
  const find = (query: Parameters<typeof findOrganizations>[1]) =>
    findOrganizations(request.principal.reach, query);
  return listAnswer(organizations, request, { api, paths: organizationPaths, find });
}
