import type { Principal } from '../../../application/auth/principal.ts';
import { unprocessable } from '../../../domain/refusal.ts';
import { presentRecord } from '../../../domain/shown.ts';
import { channelRecords } from '../../../store/records/channels.ts';
import type { ChannelMember } from '../../../domain/effects/channel-presence.ts';
import type { ChannelDocument } from '../../../store/records/channels.ts';
import { findOffline, findUsers } from '../../../store/accounts/users.ts';
import { recordKind } from '../../records/kind.ts';
import { channelInput, channelPatch, channelSchema } from './schema.ts';

const FIELDS = ['organization', 'name', 'meta', 'createdBy', 'createdAt', 'updatedAt'] as const;

/** Channels (spec 4.3). */
export const channels = recordKind({
  name: 'channels',
  schema: channelSchema,
  input: channelInput,
  patch: channelPatch,
  store: channelRecords,
  present: (channel: ChannelDocument) => {
    const members = channel.members.map(({ user, online }) => ({ user, online }));
    return { ...presentRecord(channel, FIELDS), members };
  },
  draft: async ({ name, members }, principal) => ({
    name,
    members: await resolveMembers(members, principal),
  }),
  change: async ({ name, members }, principal) => ({
    name,
    ...(members === undefined ? {} : { members: await resolveMembers(members, principal) }),
  }),
});

/** Members with their defaults, each once and each a user whom the caller sees. */
async function resolveMembers(
  members: { user: string; online?: boolean }[] | null | undefined,
  { reach }: Principal,
): Promise<ChannelMember[]> {
  const ids = (members ?? []).map(({ user }) => user);
  const users = new Set((await findUsers(reach, ids)).map(({ _id }) => _id));
  ids.forEach((id, at) => {
    if (!users.delete(id))
      throw unprocessable(describeMemberError(ids.indexOf(id) < at), `members.${at}.user`);
  });
  const offline = await findOffline(ids);
  return (members ?? []).map(({ user, online = false }) =>
    online && offline.has(user) ? { user, online: false, suspended: true } : { user, online },
  );
}

function describeMemberError(repeated: boolean): string {
  return repeated ? 'is a member already' : 'there is no such user';
}
