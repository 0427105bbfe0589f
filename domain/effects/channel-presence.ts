/** A user in a channel (spec 4.3). */
export interface ChannelMember {
  user: string;
  /** The member can be notified there now. */
  online: boolean;
  /** The member would be online, but for their status. */
  suspended?: true;
}

/** A channel, as far as it is about who can be notified there. */
export interface ChannelPresence {
  _id: string;
  members: readonly ChannelMember[];
}

/**
 * Members who are online in a channel unless their status says otherwise: that holds at once,
 * whether or not the channel has followed it.
 */
export function onlineUnlessAway({ members }: ChannelPresence): string[] {
  return members.filter(({ online, suspended }) => online || suspended).map(({ user }) => user);
}

/**
 * Which channels have a member online and which have none, in their order (spec 6, `/notify`).
 * `away`: users who count as offline everywhere.
 */
export function splitByPresence(
  channels: readonly ChannelPresence[],
  away: ReadonlySet<string>,
): { online: string[]; offline: string[] } {
  const isOnline = (channel: ChannelPresence) => onlineUnlessAway(channel).some((user) => !away.has(user));
  const ids = (online: boolean) =>
    channels.filter((channel) => isOnline(channel) === online).map(({ _id }) => _id);
  return { online: ids(true), offline: ids(false) };
}
