import type { Principal } from '../../../application/auth/principal.ts';
import { unprocessable } from '../../../domain/errors.ts';
import type { ChannelMember } from '../../../domain/effects/channel-presence.ts';
import { findOffline, findUsers } from '../../../store/accounts/users.ts';
import { channelRecord, channelRecords } from '../../../store/records/channels.ts';
import type { ChannelDocument } from '../../../store/records/channels.ts';
import { recordKind } from '../../records/kind.ts';

export const channels = recordKind({
  record: channelRecord,
  store: channelRecords,
  present: (channel: ChannelDocument) => ({
    ...channelRecord.present(channel),
    members: channel.members.map(({ user, online }) => ({ user, online })),
  }),
  prepare: async ({ members }, principal) =>
    members ? { members: await resolveMembers(members, principal) } : {},
});

/** Throws unless the members are unique and within the caller's reach. */
async function resolveMembers(
  members: { user: string; online?: boolean }[],
  { reach }: Principal,
): Promise<ChannelMember[]> {
  const ids = members.map(({ user }) => user);
  const users = new Set((await findUsers(reach, ids)).map(({ _id }) => _id));
  ids.forEach((id, at) => {
    if (!users.delete(id))
      throw unprocessable(describeMemberError(ids.indexOf(id) < at), `members.${at}.user`);
  });
  const offline = await findOffline(ids);
  return members.map(({ user, online = false }) =>
    online && offline.has(user) ? { user, online: false, suspended: true } : { user, online },
  );
}

function describeMemberError(repeated: boolean): string {
  return repeated ? 'is a member already' : 'there is no such user';
}
