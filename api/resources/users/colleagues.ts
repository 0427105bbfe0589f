import Type from 'typebox';
import { listUsers, presentUser, userRecord } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { RESOURCES } from '../../../domain/resources.ts';
import { pick } from '../../../domain/record-fields.ts';
import { inSlices } from '../../../store/queries/slices.ts';
import { buildPageResult, parseListing } from '../../listing/listing.ts';
import { buildPaths } from '../../listing/paths.ts';
import { named } from '../../../schema/kinds.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';

const { fields: FIELDS } = RESOURCES.users.brief;

export const colleagueSchema = named(
  'Colleague',
  Type.Pick(userRecord.answer, FIELDS, { description: 'A person of the same organization.' }),
);

const paths = buildPaths(colleagueSchema);

/** Roles of people: a conversation is assigned to them. */
const ROLES = ['agent', 'admin'];

/** GET /users/colleagues (spec 4.8) */
export async function listColleagues(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { organization, reach } = request.principal;
  const { query, shape } = parseListing(request, { name: 'users', paths });
  return buildPageResult(request, api, {
    query: {
      ...query,
      conditions: [
        ...query.conditions,
        { path: 'organization', is: 'one of', values: [organization] },
        { path: 'role', is: 'one of', values: ROLES },
      ],
    },
    shape,
    path: '/users/colleagues',
    async find(asked) {
      const page = await listUsers(reach, asked);
      return { page, bodies: await inSlices(page.records, presentColleague) };
    },
  });
}

function presentColleague(user: UserDocument): object {
  return pick(presentUser(user), [...FIELDS]);
}
