/** A conversation as the list API shows it. */
interface Listed {
  createdAt: string;
  status: string;
  category?: string;
  touchpoints: Record<string, { selected: boolean }>;
  firstContactAt?: string;
  firstReplyAt?: string;
  acceptedAt?: string;
  closedAt?: string;
  rating?: number;
  participants: { user: string; role?: string; accepted: boolean }[];
}

interface Written {
  bot: number;
  agents: { user: string; replies: number }[];
}

/** Computes a report (spec 5.16) from all conversations, without the code of the product. */
export function naiveReport(
  listed: readonly Listed[],
  { since, until, timeZone }: { since: number; until: number; timeZone: string },
  written: Written,
) {
  const format = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' });
  const dayAt = (time: number) => {
    const parts = format.formatToParts(time);
    const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
    return new Date(Date.UTC(2000 + part('year'), part('month') - 1, part('day'))).toISOString().slice(0, 10);
  };
  const days: { day: string; conversations: number }[] = [];
  const createdOn = listed.map(({ createdAt }) => dayAt(Date.parse(createdAt)));
  // A step of half a day meets every day, also a day of 23 hours.
  for (let time = since; time < until + 43_200_000; time += 43_200_000) {
    const day = dayAt(Math.min(time, until - 1));
    if (days.at(-1)?.day !== day)
      days.push({ day, conversations: createdOn.filter((one) => one === day).length });
  }
  const having = (status: string) => listed.filter((one) => one.status === status).length;
  return {
    conversations: listed.length,
    days,
    statuses: { queued: having('queued'), active: having('active'), closed: having('closed') },
    categories: countNames(listed.map(({ category }) => category)),
    touchpoints: countNames(
      listed.map(({ touchpoints }) => Object.keys(touchpoints).find((code) => touchpoints[code]?.selected)),
    ),
    times: {
      accept: summary(listed, 'acceptedAt'),
      firstReply: summary(listed, 'firstReplyAt'),
      close: summary(listed, 'closedAt'),
    },
    ratings: ratingsOf(listed.flatMap(({ rating }) => rating ?? [])),
    agents: agentsOf(listed, written),
    replies: {
      bot: written.bot,
      agent: written.agents.reduce((sum, { replies }) => sum + replies, 0),
      closedWithoutAgent: listed.filter(
        ({ closedAt, participants }) => closedAt !== undefined && !participants.some(isPerson),
      ).length,
    },
  };
}

function isPerson({ role }: Listed['participants'][number]): boolean {
  return ['agent', 'admin'].includes(role ?? '');
}

function agentsOf(listed: readonly Listed[], { agents }: Written) {
  const takers = listed.flatMap(({ participants }) =>
    participants.filter((one) => one.accepted && isPerson(one)).map(({ user }) => user),
  );
  const users = [...new Set([...takers, ...agents.map(({ user }) => user)])];
  return users
    .map((user) => {
      const taken = listed.filter(({ participants }) =>
        participants.some((one) => one.user === user && one.accepted && isPerson(one)),
      );
      const { conversations, average } = ratingsOf(taken.flatMap(({ rating }) => rating ?? []));
      return {
        user,
        conversations: taken.length,
        replies: agents.find((one) => one.user === user)?.replies ?? 0,
        times: { firstReply: summary(taken, 'firstReplyAt'), close: summary(taken, 'closedAt') },
        ratings: { conversations, average },
      };
    })
    .sort((a, b) => b.conversations - a.conversations || b.replies - a.replies || (a.user < b.user ? -1 : 1));
}

function ratingsOf(ratings: readonly number[]) {
  const sum = ratings.reduce((total, one) => total + one, 0);
  return {
    conversations: ratings.length,
    average: ratings.length === 0 ? null : Number((sum / ratings.length).toFixed(2)),
    values: [1, 2, 3, 4, 5].map((rating) => ({
      rating,
      conversations: ratings.filter((one) => one === rating).length,
    })),
  };
}

function countNames(names: readonly (string | undefined)[]) {
  const distinct = [...new Set(names)].filter((name) => name !== undefined);
  return distinct
    .map((name) => ({ name, conversations: names.filter((one) => one === name).length }))
    .sort((a, b) => b.conversations - a.conversations || (a.name < b.name ? -1 : 1));
}

function summary(listed: readonly Listed[], end: 'acceptedAt' | 'firstReplyAt' | 'closedAt') {
  const waits = listed.flatMap(({ createdAt, firstContactAt, [end]: ended }) => {
    if (ended === undefined) return [];
    const until = Date.parse(ended);
    const wrote = firstContactAt === undefined ? Infinity : Date.parse(firstContactAt);
    return [Math.max(0, until - (wrote <= until ? wrote : Date.parse(createdAt)))];
  });
  const atMost = (share: number) =>
    waits.length === 0
      ? null
      : Math.min(
          ...waits.filter((ms) => waits.filter((other) => other <= ms).length >= share * waits.length),
        );
  return { conversations: waits.length, median: atMost(0.5), p90: atMost(0.9) };
}
