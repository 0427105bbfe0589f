import { unprocessable } from '../../../domain/errors.ts';
import type { ChannelMember } from '../../../domain/effects/channel-presence.ts';
import { findOffline } from '../../../store/accounts/users.ts';
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
  prepare: async ({ members }) => (members ? { members: await resolveMembers(members) } : {}),
});

/** Throws DomainError `unprocessable` for a repeated member. */
async function resolveMembers(members: { user: string; online?: boolean }[]): Promise<ChannelMember[]> {
  const ids = members.map(({ user }) => user);
  ids.forEach((id, at) => {
    if (ids.indexOf(id) < at) throw unprocessable('is a member already', `members.${at}.user`);
  });
  const offline = await findOffline(ids);
  return members.map(({ user, online = false }) =>
    online && offline.has(user) ? { user, online: false, suspended: true } : { user, online },
  );
}
