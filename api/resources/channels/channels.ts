import type { Static } from 'typebox';
import type { Principal } from '../../../auth/principal.ts';
import { unprocessable } from '../../../domain/refusal.ts';
import { channelRecords } from '../../../store/records/channels.ts';
import type { ChannelMember } from '../../../store/records/channels.ts';
import { findOffline, findUsers } from '../../../store/accounts/users.ts';
import { recordHandlers } from '../../records/handlers.ts';
import { channelResource } from './present.ts';
import { channelPaths } from './schema.ts';
import type { channelInput, channelPatch } from './schema.ts';

type ChannelInput = Static<typeof channelInput>;
type ChannelPatch = Static<typeof channelPatch>;

/** The requests of /channels. */
export const channels = recordHandlers({
  resource: channelResource,
  paths: channelPaths,
  store: channelRecords,
  draft: async ({ name, members }: ChannelInput, principal) => ({
    name,
    members: await known(members, principal),
  }),
  change: async ({ name, members }: ChannelPatch, principal) => ({
    name,
    ...(members === undefined ? {} : { members: await known(members, principal) }),
  }),
});

/** Members with their defaults, each once and each a user whom the caller sees. */
async function known(
  members: ChannelInput['members'] | null,
  { reach }: Principal,
): Promise<ChannelMember[]> {
  const ids = (members ?? []).map(({ user }) => user);
  const users = new Set((await findUsers(reach, ids)).map(({ _id }) => _id));
  ids.forEach((id, at) => {
    if (!users.delete(id)) throw unprocessable(reasonOf(ids.indexOf(id) < at), `members.${at}.user`);
  });
  const offline = await findOffline(ids);
  return (members ?? []).map(({ user, online = false }) =>
    online && offline.has(user) ? { user, online: false, suspended: true } : { user, online },
  );
}

function reasonOf(repeated: boolean): string {
  return repeated ? 'is a member already' : 'there is no such user';
}
