import { CONVERSATION_STATUSES } from './conversation.ts';
import type { ConversationStatus, FirstTimes, Participant, Touchpoint } from './conversation.ts';
import { MAX_RATING } from '../messages/rating.ts';
import { daysBetween } from '../local-day.ts';
import type { LocalDay } from '../local-day.ts';
import { WAITS, waitingTimes } from './waiting-times.ts';
import type { Wait } from './waiting-times.ts';

export interface ReportedConversation extends FirstTimes<Date> {
  createdAt: Date;
  status: ConversationStatus;
  category?: string;
  touchpoints: Record<string, Touchpoint>;
  rating?: number;
  participants: Pick<Participant, 'user' | 'role' | 'accepted'>[];
}

interface NameCount {
  name: string;
  conversations: number;
}

interface RatingSummary {
  conversations: number;
  /** With two decimals. Null without conversations. */
  average: number | null;
  values: { rating: number; conversations: number }[];
}

interface WaitSummary {
  conversations: number;
  /** Milliseconds. Null without conversations. */
  median: number | null;
  p90: number | null;
}

/** Counts the conversations that an agent has taken. */
export interface AgentSummary {
  user: string;
  conversations: number;
  /** Replies that the agent wrote in the range. */
  replies: number;
  times: Record<AgentWait, WaitSummary>;
  ratings: Omit<RatingSummary, 'values'>;
}

const AGENT_WAITS = ['firstReply', 'close'] as const;
type AgentWait = (typeof AGENT_WAITS)[number];

/** Number of replies in a range. `users`: of agents, by their ids. */
export interface ReplyCounts {
  bot: number;
  agent: number;
  users: ReadonlyMap<string, number>;
}

export interface Report {
  conversations: number;
  days: { day: string; conversations: number }[];
  statuses: Record<ConversationStatus, number>;
  categories: NameCount[];
  touchpoints: NameCount[];
  times: Record<Wait, WaitSummary>;
  ratings: RatingSummary;
  agents: AgentSummary[];
  replies: { bot: number; agent: number; closedWithoutAgent: number };
}

export interface ReportRange {
  /** Epoch milliseconds. */
  since: number;
  /** Exclusive. */
  until: number;
  localDay: LocalDay;
}

const MAX_NAMES = 200;

interface AgentFigures {
  conversations: number;
  waits: Record<AgentWait, number[]>;
  ratings: number[];
}

/** Spec 5.16. */
export class ReportBuilder {
  readonly #localDay: LocalDay;
  readonly #days: Map<string, number>;
  readonly #statuses = new Map<string, number>();
  readonly #categories = new Map<string, number>();
  readonly #touchpoints = new Map<string, number>();
  readonly #waits = Object.fromEntries(WAITS.map((wait) => [wait, []])) as unknown as Record<Wait, number[]>;
  readonly #ratings = new Map<string, number>();
  readonly #agents = new Map<string, AgentFigures>();
  #closedWithoutAgent = 0;
  conversations = 0;

  constructor({ since, until, localDay }: ReportRange) {
    this.#localDay = localDay;
    this.#days = new Map(daysBetween(localDay(since), localDay(until - 1)).map((day) => [day, 0]));
  }

  add(conversation: ReportedConversation): void {
    this.conversations += 1;
    count(this.#days, this.#localDay(conversation.createdAt.getTime()));
    count(this.#statuses, conversation.status);
    count(this.#categories, conversation.category);
    count(this.#touchpoints, findSelected(conversation.touchpoints));
    count(this.#ratings, conversation.rating?.toString());
    const waits = waitingTimes(conversation);
    for (const wait of WAITS) if (waits[wait] !== undefined) this.#waits[wait].push(waits[wait]);
    const people = conversation.participants.filter(({ role }) => role === 'agent' || role === 'admin');
    if (waits.close !== undefined && people.length === 0) this.#closedWithoutAgent += 1;
    for (const { user, accepted } of people) if (accepted) this.#addTaken(user, conversation.rating, waits);
  }

  #addTaken(user: string, rating: number | undefined, waits: Partial<Record<Wait, number>>): void {
    const figures = this.#agents.get(user) ?? newFigures();
    this.#agents.set(user, figures);
    figures.conversations += 1;
    if (rating !== undefined) figures.ratings.push(rating);
    for (const wait of AGENT_WAITS) if (waits[wait] !== undefined) figures.waits[wait].push(waits[wait]);
  }

  summarize(wait: Wait): WaitSummary {
    return summarizeWaits(this.#waits[wait]);
  }

  build(summaries: readonly WaitSummary[], { bot, agent, users }: ReplyCounts): Report {
    const times = Object.fromEntries(WAITS.map((wait, at) => [wait, summaries[at]]));
    const statuses = CONVERSATION_STATUSES.map((status) => [status, this.#statuses.get(status) ?? 0]);
    return {
      conversations: this.conversations,
      days: [...this.#days].map(([day, conversations]) => ({ day, conversations })),
      statuses: Object.fromEntries(statuses) as Report['statuses'],
      categories: mostFrequent(this.#categories),
      touchpoints: mostFrequent(this.#touchpoints),
      times: times as Report['times'],
      ratings: this.#summarizeRatings(),
      agents: this.#summarizeAgents(users),
      replies: { bot, agent, closedWithoutAgent: this.#closedWithoutAgent },
    };
  }

  #summarizeAgents(replies: ReplyCounts['users']): AgentSummary[] {
    const all = [...new Set([...this.#agents.keys(), ...replies.keys()])].map((user) => ({
      user,
      figures: this.#agents.get(user) ?? newFigures(),
      replies: replies.get(user) ?? 0,
    }));
    return all
      .sort(
        (a, b) =>
          b.figures.conversations - a.figures.conversations ||
          b.replies - a.replies ||
          (a.user < b.user ? -1 : 1),
      )
      .slice(0, MAX_NAMES)
      .map(({ user, figures: { conversations, waits, ratings }, replies: written }) => ({
        ...{ user, conversations, replies: written },
        times: { firstReply: summarizeWaits(waits.firstReply), close: summarizeWaits(waits.close) },
        ratings: { conversations: ratings.length, average: average(ratings) },
      }));
  }

  #summarizeRatings(): RatingSummary {
    const values = Array.from({ length: MAX_RATING }, (_, at) => at + 1).map((rating) => ({
      rating,
      conversations: this.#ratings.get(String(rating)) ?? 0,
    }));
    const conversations = values.reduce((sum, one) => sum + one.conversations, 0);
    const total = values.reduce((sum, one) => sum + one.rating * one.conversations, 0);
    return { conversations, average: roundedShare(total, conversations), values };
  }
}

function newFigures(): AgentFigures {
  return { conversations: 0, waits: { firstReply: [], close: [] }, ratings: [] };
}

function summarizeWaits(waits: readonly number[]): WaitSummary {
  const sorted = Float64Array.from(waits).sort();
  return {
    conversations: sorted.length,
    median: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
  };
}

function average(ratings: readonly number[]): number | null {
  return roundedShare(
    ratings.reduce((sum, one) => sum + one, 0),
    ratings.length,
  );
}

/** With two decimals. Null without values. */
function roundedShare(total: number, values: number): number | null {
  return values === 0 ? null : Math.round((total / values) * 100) / 100;
}

function count(counts: Map<string, number>, name: string | undefined): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
}

function findSelected(touchpoints: Record<string, Touchpoint>): string | undefined {
  return Object.keys(touchpoints).find((code) => touchpoints[code]?.selected);
}

function mostFrequent(counts: Map<string, number>): NameCount[] {
  return [...counts]
    .map(([name, conversations]) => ({ name, conversations }))
    .sort((a, b) => b.conversations - a.conversations || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES);
}

/** Returns the smallest value that at least `share` of all values do not exceed. */
function percentile(sorted: Float64Array, share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null;
}
