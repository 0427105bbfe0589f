import mongoose from 'mongoose';
import type { Meta } from '../domain/message.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/** A channel's document (contract 4): users who can be notified of conversations together. */
export interface ChannelDocument extends TenantDocument {
  name: string;
  members: { user: string; online: boolean }[];
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

export const channelModel = mongoose.model('Channel', channelSchema);

export const channelRecords = tenantRecords<ChannelDocument>(channelModel);

/**
 * Which channels of an organization have a member online and which have none, oldest first: those named, or all of them (contract 6, `/notify`).
 * Ids that are no channels of the organization are in neither list.
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
  const ids = (online: boolean) =>
    found.filter(({ members }) => members.some((member) => member.online) === online).map(({ _id }) => _id);
  return { online: ids(true), offline: ids(false) };
}

/** Takes a user, who is no more, out of all channels. */
export async function removeMember(user: string): Promise<void> {
  await channelModel.updateMany({ 'members.user': user }, { $pull: { members: { user } } });
}
