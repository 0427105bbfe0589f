/** A member of a channel (spec 4.3). */
export interface ChannelMember {
  user: string;
  online: boolean;
  /** Connected, but offline by status. */
  suspended?: true;
}

export interface ChannelPresence {
  _id: string;
  members: readonly ChannelMember[];
}

/**
 * Returns the connected members, including suspended members: the channel's data may lag behind their
 * status, which the caller checks.
 */
export function onlineUnlessAway({ members }: ChannelPresence): string[] {
  return members.filter(({ online, suspended }) => online || suspended).map(({ user }) => user);
}

/** Keeps the order (spec 6, `/notify`). Users in `away` are offline everywhere. */
export function splitByPresence(
  channels: readonly ChannelPresence[],
  away: ReadonlySet<string>,
): { online: string[]; offline: string[] } {
  const isOnline = (channel: ChannelPresence) => onlineUnlessAway(channel).some((user) => !away.has(user));
  const ids = (online: boolean) =>
    channels.filter((channel) => isOnline(channel) === online).map(({ _id }) => _id);
  return { online: ids(true), offline: ids(false) };
}
