import Type from 'typebox';
import { Meta, Name, OwnedBy, about, idOf, object, referenceTo } from '../../schema/kinds.ts';
import { declareRecord, withDefault } from '../../schema/record.ts';
import { onlineUnlessAway, splitByPresence } from '../../domain/effects/channel-presence.ts';
import type { ChannelMember } from '../../domain/effects/channel-presence.ts';
import { defineRecordModel } from '../connection/model.ts';
import { tenantRecords } from './tenant-records.ts';
import type { RecordDocument } from '../connection/model.ts';
import { findOffline } from '../accounts/users.ts';

const MAX_MEMBERS = 1000;
const MEMBERS = 'The users to notify when a conversation needs an agent.';

export const Online = about(Type.Boolean(), 'Whether the member is online.', true);

const MemberInput = object('ChannelMemberInput', 'A member of a channel.', {
  user: referenceTo('users', 'The user.'),
  online: Type.Optional(Online),
});

const Member = object('ChannelMember', 'A member of a channel.', {
  user: idOf('users', 'The user.'),
  online: about(
    Type.Boolean(),
    'Whether the member is online. A user with status `offline` counts as offline.',
    true,
  ),
});

/** See spec 4.3. */
export const channelRecord = declareRecord({
  resource: 'channels',
  title: 'Channel',
  description: 'A group of agents who are notified together.',
  fields: {
    name: about(Name, 'The name.', 'Support'),
    organization: OwnedBy,
    members: withDefault(about(Type.Array(MemberInput, { maxItems: MAX_MEMBERS }), MEMBERS), []),
    meta: withDefault(Meta, {}),
  },
  answer: { members: about(Type.Array(Member), MEMBERS) },
});

export type ChannelDocument = RecordDocument<typeof channelRecord> & { members: ChannelMember[] };

export const channelModel = defineRecordModel<ChannelDocument>('Channel', channelRecord, [
  [{ organization: 1, _id: 1 }],
  [{ 'members.user': 1 }],
]);

export const channelRecords = tenantRecords(channelModel);

/** Returns null if the channel has no such member. */
export async function setOnline(
  channel: string,
  { user, online }: Pick<ChannelMember, 'user' | 'online'>,
): Promise<ChannelDocument | null> {
  await channelModel.collection.updateOne(
    { _id: channel, 'members.user': user },
    {
      $set: { 'members.$[member].online': online, updatedAt: new Date() },
      $unset: { 'members.$[member].suspended': '' },
    },
    { arrayFilters: [{ 'member.user': user }] },
  );
  await followStatus(user);
  return channelModel.findOne({ _id: channel, 'members.user': user }).lean<ChannelDocument>();
}

/** Suspends or resumes the user's presence in all channels, by the user's status (spec 4.6). */
export async function followStatus(user: string): Promise<void> {
  let before: boolean | undefined;
  for (;;) {
    const isOffline = (await findOffline([user])).has(user);
    // The status may have changed while the channels were updated.
    if (isOffline === before) return;
    await (isOffline ? suspend(user) : resume(user));
    before = isOffline;
  }
}

async function suspend(user: string): Promise<void> {
  await channelModel.collection.updateMany(
    { members: { $elemMatch: { user, online: true } } },
    { $set: { 'members.$[member].online': false, 'members.$[member].suspended': true } },
    { arrayFilters: [{ 'member.user': user, 'member.online': true }] },
  );
}

async function resume(user: string): Promise<void> {
  await channelModel.collection.updateMany(
    { members: { $elemMatch: { user, suspended: true } } },
    { $set: { 'members.$[member].online': true }, $unset: { 'members.$[member].suspended': '' } },
    { arrayFilters: [{ 'member.user': user, 'member.suspended': true }] },
  );
}

/** Splits channels by whether a member is online (spec 6, `/notify`). */
export async function findReachable(
  organization: string,
  channels: readonly string[] | 'all',
): Promise<{ online: string[]; offline: string[] }> {
  const named = channels === 'all' ? {} : { _id: { $in: [...channels] } };
  const found = await channelModel
    .find({ organization, ...named }, { members: 1 })
    .sort({ _id: 1 })
    .lean<Pick<ChannelDocument, '_id' | 'members'>[]>();
  const away = await findOffline([...new Set(found.flatMap(onlineUnlessAway))]);
  return splitByPresence(found, away);
}

export async function removeMember(user: string): Promise<void> {
  await channelModel.updateMany({ 'members.user': user }, { $pull: { members: { user } } });
}
