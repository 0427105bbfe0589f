import type { Caller } from './change.ts';
import { DomainError } from './errors.ts';
import type { MessageDraft } from './message.ts';

const IDENTICAL = { most: 8, withinMs: 3 * 60_000 };
const CONSECUTIVE = { most: 20, withinMs: 60 * 60_000 };

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
  return { bot: caller.user, fingerprint: draft.facts?.fingerprint ?? draft.id };
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

/** The counters after a message was accepted. What is too old to matter is dropped. */
export function countLoop(loops: LoopCounters, counted: Counted | undefined, now: number): LoopCounters {
  if (!counted) return loops;
  if ('reply' in counted) return answered(loops, now);
  const { identical, consecutive } = loops[counted.bot] ?? { identical: {}, consecutive: [] };
  const kept = pruned(identical, now);
  return {
    ...loops,
    [counted.bot]: {
      identical: { ...kept, [counted.fingerprint]: [...(kept[counted.fingerprint] ?? []), now] },
      consecutive: [...within(consecutive, now, CONSECUTIVE.withinMs), now].slice(-CONSECUTIVE.most),
    },
  };
}

function answered(loops: LoopCounters, now: number): LoopCounters {
  const entries = Object.entries(loops).map(([bot, { identical }]) => [bot, pruned(identical, now)] as const);
  return Object.fromEntries(
    entries
      .filter(([, identical]) => Object.keys(identical).length > 0)
      .map(([bot, identical]) => [bot, { identical, consecutive: [] }]),
  );
}

function pruned(identical: LoopCounter['identical'], now: number): LoopCounter['identical'] {
  const entries = Object.entries(identical).map(
    ([fingerprint, times]) =>
      [fingerprint, within(times, now, IDENTICAL.withinMs).slice(-IDENTICAL.most)] as const,
  );
  return Object.fromEntries(entries.filter(([, times]) => times.length > 0));
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
