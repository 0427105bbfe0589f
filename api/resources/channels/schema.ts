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

/** What a caller says of a channel (spec 4.3). */
export const channelInput = object('ChannelInput', 'A channel to create.', fields);

export const channelPatch = named('ChannelPatch', patchOf(channelInput, ['name', 'organization']));

/** The body of PUT /channels/{id}/online. */
export const onlineInput = object('ChannelOnline', 'Whether the caller is online in the channel.', {
  online: Online,
});

/** A channel as it is shown. */
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
