import { shown } from '../../../domain/shown.ts';
import type { ChannelDocument } from '../../../store/records/channels.ts';
import type { Resource } from '../../records/resource.ts';

const FIELDS = ['organization', 'name', 'meta', 'createdBy', 'createdAt', 'updatedAt'] as const;

/** A channel as the API shows it. */
export function presentChannel(channel: ChannelDocument): Record<string, unknown> {
  const members = channel.members.map(({ user, online }) => ({ user, online }));
  return { ...shown(channel, FIELDS), members };
}

export const channelResource: Resource<ChannelDocument> = {
  path: '/channels',
  what: 'The channel',
  present: presentChannel,
};
