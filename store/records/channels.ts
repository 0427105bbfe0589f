import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { onlineUnlessAway, splitByPresence } from '../../domain/effects/channel-presence.ts';
import type { ChannelMember } from '../../domain/effects/channel-presence.ts';
import type { Meta } from '../../domain/messages/message.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';
import { findOffline } from '../accounts/users.ts';

/** Users who are notified of conversations together (spec 4.3). */
export interface ChannelDocument extends TenantDocument {
  name: string;
  members: ChannelMember[];
  meta: Meta;
}

const { Mixed } = mongoose.Schema.Types;

const channelSchema = new mongoose.Schema<ChannelDocument>(
  {
    _id: String,
    organization: String,
    name: String,
    members: [Mixed],
    meta: Mixed,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'channels', versionKey: false, minimize: false, strict: true },
);

channelSchema.index({ organization: 1, _id: 1 });
channelSchema.index({ 'members.user': 1 });

export const channelModel = defineModel<ChannelDocument>('Channel', channelSchema);

export const channelRecords = tenantRecords<ChannelDocument>(channelModel);

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

/**
 * Makes an offline user offline in all channels, and afterwards online again in the same ones (spec
 * 4.3).
 */
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

/**
 * Splits the named or all channels by whether a member is online (spec 6, `/notify`). Leaves out
 * channels of other organizations.
 */
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
