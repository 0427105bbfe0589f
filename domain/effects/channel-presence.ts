export interface ChannelMember {
  user: string;
  online: boolean;
  /** Connected, but the user's status is offline. */
  suspended?: true;
}

export interface ChannelPresence {
  _id: string;
  members: readonly ChannelMember[];
}

/** Returns online and suspended members: the caller checks the current status of users. */
export function onlineUnlessAway({ members }: ChannelPresence): string[] {
  return members.filter(({ online, suspended }) => online || suspended).map(({ user }) => user);
}

/** Keeps the order of channels. Users in `away` count as offline everywhere. */
export function splitByPresence(
  channels: readonly ChannelPresence[],
  away: ReadonlySet<string>,
): { online: string[]; offline: string[] } {
  const isOnline = (channel: ChannelPresence) => onlineUnlessAway(channel).some((user) => !away.has(user));
  const ids = (online: boolean) =>
    channels.filter((channel) => isOnline(channel) === online).map(({ _id }) => _id);
  return { online: ids(true), offline: ids(false) };
}
