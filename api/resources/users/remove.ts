import { removeApiKeys } from '../../../store/accounts/apikeys.ts';
import { removeUserIngests } from '../../../store/records/eventtypes.ts';
import { removeMember } from '../../../store/records/channels.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import { removeOtp } from '../../../store/accounts/otps.ts';
import { disableBotServices } from '../../../store/delivery/service-health.ts';
import { endFamilies } from '../../../store/accounts/tokens.ts';
import type { ReferenceTo } from '../../../domain/resources.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import { noteDeparture } from '../../../store/accounts/departures.ts';
import { removeUser as eraseUser, insertUser, updateUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { buildRemovedResult, recordTarget, withIfMatch } from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { withOtherAdmin } from './users.ts';
import { users } from './schema.ts';

const BEFORE: Record<ReferenceTo<'users', 'disable'>, (bot: string) => Promise<unknown>> = {
  'services.user': (bot) => disableBotServices(bot, storeDate()),
};
const AFTER: Record<ReferenceTo<'users', 'pull'>, (user: string) => Promise<unknown>> = {
  'channels.members.user': removeMember,
};

/** DELETE /users/{id}: ends credentials, and disables a bot's services. */
export async function removeUser(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { id, principal } = request;
  const removed = await withIfMatch(request, recordTarget(users, request), async (user, seen) => {
    const apply = () => removeUnchanged(user, seen, principal);
    return (await withOtherAdmin(user, { apply, revert: () => insertUser(user) })) || null;
  });
  if (removed) {
    const others = Object.values(AFTER).map((end) => end(id));
    const departed = noteDeparture({ user: id, by: principal.user, isOver: true });
    const ended = [endFamilies(id), removeApiKeys(id), removeOtp(id), removeUserIngests(id), departed];
    await Promise.all([...ended, ...others]);
    api.authority.forget();
  }
  return buildRemovedResult(users, removed !== null);
}

async function removeUnchanged(
  { _id, role }: UserDocument,
  seen: UserDocument | undefined,
  { reach, user: by }: Principal,
): Promise<boolean> {
  // Changes the ETag: concurrent requests with the same ETag fail.
  if (seen && !(await updateUser(reach, _id, {}, seen))) return false;
  // The deletion's event must find the services disabled.
  if (role === 'bot') await Promise.all(Object.values(BEFORE).map((end) => end(_id)));
  await noteDeparture({ user: _id, by, isOver: false });
  return eraseUser(reach, _id);
}
