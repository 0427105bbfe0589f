import type { Principal } from '../../../application/auth/principal.ts';
import { unprocessable } from '../../../domain/errors.ts';
import { presentRecord } from '../../../domain/record-fields.ts';
import { channelRecords } from '../../../store/records/channels.ts';
import type { ChannelMember } from '../../../domain/effects/channel-presence.ts';
import type { ChannelDocument } from '../../../store/records/channels.ts';
import { findOffline, findUsers } from '../../../store/accounts/users.ts';
import { recordKind } from '../../records/kind.ts';
import Type from 'typebox';
import {
  Meta,
  Name,
  OwnedBy,
  Owner,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  patchOf,
  referenceTo,
} from '../../../application/schema/kinds.ts';

const MAX_MEMBERS = 1000;

const Online = about(Type.Boolean(), 'Whether they are there.', true);

const Member = object('ChannelMemberInput', 'A member of a channel.', {
  user: referenceTo('users', 'The user.'),
  online: Type.Optional(Online),
});

const fields = {
  name: about(Name, 'The name.', 'Support'),
  organization: OwnedBy,
  members: Type.Optional(
    about(Type.Array(Member, { maxItems: MAX_MEMBERS }), 'Who is called when a conversation needs an agent.'),
  ),
  meta: Type.Optional(Meta),
};

/** See spec 4.3. */
const channelInput = object('ChannelInput', 'A channel to create.', fields);

const channelPatch = named('ChannelPatch', patchOf(channelInput, ['name', 'organization']));

export const onlineInput = object('ChannelOnline', 'Whether the caller is online in the channel.', {
  online: Online,
});

export const channelSchema = object('Channel', 'A group of agents who are called together.', {
  id: idOf('channels', 'Its id.'),
  organization: Owner,
  name: about(Type.String(), 'The name.', 'Support'),
  members: about(
    Type.Array(
      object('ChannelMember', 'A member of a channel.', {
        user: idOf('users', 'The user.'),
        online: about(
          Type.Boolean(),
          'Whether they are there. A user whose status is `offline` counts as offline.',
          true,
        ),
      }),
    ),
    'Who is called when a conversation needs an agent.',
  ),
  meta: Meta,
  ...madeAndChanged,
});

const FIELDS = ['organization', 'name', 'meta', 'createdBy', 'createdAt', 'updatedAt'] as const;

/** See spec 4.3. */
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

/** Requires unique members within the caller's reach. */
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
