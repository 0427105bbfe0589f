import type { Caller } from './change.ts';
import { DomainError } from './errors.ts';
import type { MessageDraft } from './message.ts';

const IDENTICAL = { most: 8, withinMs: 3 * 60_000 };
const CONSECUTIVE = { most: 20, withinMs: 60 * 60_000 };
const BOTS_MOST = 32;
const FINGERPRINTS_MOST = 128;
/** Hex digits kept of a fingerprint: 96 bits, plenty for the messages of three minutes. */
const FINGERPRINT_DIGITS = 24;

/** What is remembered of one bot's messages in one conversation, enough for both rules of spec 8. Times are epoch milliseconds. */
export interface LoopCounter {
  /** Messages of the last three minutes: their times by fingerprint of type, text, items and actions. */
  identical: Record<string, number[]>;
  /** Times of the last hour's messages that nobody answered yet, at most twenty. */
  consecutive: number[];
}

/** Counters by bot. */
export type LoopCounters = Record<string, LoopCounter>;

/** How a message counts: as its bot's, or as a reply that ends every bot's run of consecutive messages. */
export type Counted = { bot: string; fingerprint: string } | { reply: true };

/** How a message counts for the bot-loop rules; null if it does not (contract 6). */
export function countedAs(caller: Caller, draft: MessageDraft): Counted | null {
  if (caller.role !== 'bot' || draft.role === 'contact') return { reply: true };
  if (caller.origin !== 'message') return null;
  return {
    bot: caller.user,
    fingerprint: (draft.facts?.fingerprint ?? draft.id).slice(0, FINGERPRINT_DIGITS),
  };
}

/** Throws DomainError `bot_loop_identical` or `bot_loop_consecutive`, with the time to wait, if one more message would break a rule. */
export function refuseLoop(loops: LoopCounters, counted: Counted | null, now: number): void {
  if (!counted || 'reply' in counted) return;
  const counter = loops[counted.bot];
  if (!counter) return;
  const identical = within(counter.identical[counted.fingerprint] ?? [], now, IDENTICAL.withinMs);
  if (identical.length >= IDENTICAL.most) {
    const until = (identical.at(-IDENTICAL.most) ?? now) + IDENTICAL.withinMs;
    throw refusal(
      'bot_loop_identical',
      `At most ${IDENTICAL.most} identical messages per bot and conversation in 3 minutes`,
      { until, now },
    );
  }
  const consecutive = within(counter.consecutive, now, CONSECUTIVE.withinMs);
  if (consecutive.length >= CONSECUTIVE.most) {
    const until = (consecutive.at(-CONSECUTIVE.most) ?? now) + CONSECUTIVE.withinMs;
    const rule = `At most ${CONSECUTIVE.most} consecutive messages per bot and conversation in 60 minutes without a reply`;
    throw refusal('bot_loop_consecutive', rule, { until, now });
  }
}

/**
 * The counters after a message was accepted. What is too old to matter is dropped. Bounded whatever bots do: of one conversation
 * at most 32 bots and 128 different messages of the last three minutes are remembered, those heard of last; a bot that repeats
 * itself stays among them unless it says 128 other things between two repetitions.
 */
export function countLoop(loops: LoopCounters, counted: Counted | undefined, now: number): LoopCounters {
  if (!counted) return loops;
  const current = mapped(loops, (counter) => pruned(counter, now));
  if ('reply' in counted) return filled(mapped(current, ({ identical }) => ({ identical, consecutive: [] })));
  const { identical, consecutive } = current[counted.bot] ?? { identical: {}, consecutive: [] };
  const times = [...(identical[counted.fingerprint] ?? []), now].slice(-IDENTICAL.most);
  return bounded({
    ...filled(current),
    [counted.bot]: {
      identical: { ...identical, [counted.fingerprint]: times },
      consecutive: [...consecutive, now].slice(-CONSECUTIVE.most),
    },
  });
}

function mapped(loops: LoopCounters, change: (counter: LoopCounter) => LoopCounter): LoopCounters {
  return Object.fromEntries(Object.entries(loops).map(([bot, counter]) => [bot, change(counter)]));
}

function pruned({ identical, consecutive }: LoopCounter, now: number): LoopCounter {
  const entries = Object.entries(identical)
    .map(([fingerprint, times]) => [fingerprint, within(times, now, IDENTICAL.withinMs)] as const)
    .filter(([, times]) => times.length > 0);
  return {
    identical: Object.fromEntries(entries),
    consecutive: within(consecutive, now, CONSECUTIVE.withinMs),
  };
}

function filled(loops: LoopCounters): LoopCounters {
  const counters = Object.entries(loops);
  return Object.fromEntries(
    counters.filter(
      ([, { identical, consecutive }]) => consecutive.length > 0 || Object.keys(identical).length > 0,
    ),
  );
}

function bounded(loops: LoopCounters): LoopCounters {
  const bots = latest(Object.entries(loops), { most: BOTS_MOST, lastOf: ([, counter]) => lastTime(counter) });
  const remembered = bots.flatMap(([bot, { identical }]) =>
    Object.entries(identical).map(([fingerprint, times]) => ({ bot, fingerprint, times })),
  );
  if (bots.length === Object.keys(loops).length && remembered.length <= FINGERPRINTS_MOST) return loops;
  const kept = latest(remembered, { most: FINGERPRINTS_MOST, lastOf: ({ times }) => times.at(-1) ?? 0 });
  const identicalOf = (bot: string) =>
    Object.fromEntries(
      kept.filter((one) => one.bot === bot).map(({ fingerprint, times }) => [fingerprint, times]),
    );
  return Object.fromEntries(
    bots.map(([bot, { consecutive }]) => [bot, { identical: identicalOf(bot), consecutive }]),
  );
}

function latest<T>(all: T[], { most, lastOf }: { most: number; lastOf: (one: T) => number }): T[] {
  if (all.length <= most) return all;
  return [...all].sort((a, b) => lastOf(b) - lastOf(a)).slice(0, most);
}

function lastTime({ identical, consecutive }: LoopCounter): number {
  return Math.max(0, ...consecutive.slice(-1), ...Object.values(identical).map((times) => times.at(-1) ?? 0));
}

function within(times: number[], now: number, ms: number): number[] {
  return times.filter((time) => time > now - ms);
}

function refusal(
  code: 'bot_loop_identical' | 'bot_loop_consecutive',
  rule: string,
  { until, now }: { until: number; now: number },
): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new DomainError(code, `${rule}; blocked until ${new Date(until).toISOString()}.`, {
    retryAfterSeconds,
  });
}
