/** A member of a channel (spec 4.3). */
export interface ChannelMember {
  user: string;
  /** The member can be notified in this channel now. */
  online: boolean;
  /** The member is connected, but their status makes them offline. */
  suspended?: true;
}

export interface ChannelPresence {
  _id: string;
  members: readonly ChannelMember[];
}

/**
 * Returns the members whose connection is online. Suspended members are included: the caller
 * applies the current status, which the channel may not reflect yet.
 */
export function onlineUnlessAway({ members }: ChannelPresence): string[] {
  return members.filter(({ online, suspended }) => online || suspended).map(({ user }) => user);
}

/**
 * Splits channels by whether a member is online, in their order (spec 6, `/notify`). Users in
 * `away` count as offline everywhere.
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
