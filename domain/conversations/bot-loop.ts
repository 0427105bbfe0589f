import { DomainError } from '../errors.ts';
import type { Caller, MessageDraft } from '../messages/message.ts';

const IDENTICAL = { max: 8, windowMs: 3 * 60_000 };
const CONSECUTIVE = { max: 20, windowMs: 60 * 60_000 };
const BOTS = { kept: 32, stored: 36 };
const FINGERPRINTS = { kept: 128, stored: 160 };
/** 144 bits in base64url. */
const FINGERPRINT_CHARACTERS = 24;

/** Counters of one bot (spec 6.10). Times are epoch milliseconds. */
export interface LoopCounter {
  /** Times of the messages of the last three minutes, by fingerprint. */
  identical: Record<string, number[]>;
  /** Times of the last hour's messages since the last reply. */
  consecutive: number[];
}

export type LoopCounters = Record<string, LoopCounter>;

/** A reply ends the consecutive messages of all bots. */
export type CountedMessage = { bot: string; fingerprint: string } | { reply: true };

/** Returns undefined if the bot-loop rules ignore the message (spec 6.10). */
export function classifyMessage(caller: Caller, draft: MessageDraft): CountedMessage | undefined {
  if (caller.role !== 'bot' || draft.role === 'contact') return { reply: true };
  if (caller.origin !== 'message') return undefined;
  return {
    bot: caller.user,
    fingerprint: (draft.facts?.fingerprint ?? draft.id).slice(0, FINGERPRINT_CHARACTERS),
  };
}

/** Throws DomainError `bot_loop_identical` or `bot_loop_consecutive`, with `retryAfterSeconds`. */
export function assertNoBotLoop(loops: LoopCounters, counted: CountedMessage | undefined, now: number): void {
  if (!counted || 'reply' in counted) return;
  const counter = loops[counted.bot];
  if (!counter) return;
  const identicalEnd = blockedUntil(counter.identical[counted.fingerprint] ?? [], IDENTICAL);
  if (identicalEnd > now) {
    const rule = `At most ${IDENTICAL.max} identical messages per bot and conversation in 3 minutes`;
    throw botLoopError('bot_loop_identical', rule, { until: identicalEnd, now });
  }
  const consecutiveEnd = blockedUntil(counter.consecutive, CONSECUTIVE);
  if (consecutiveEnd > now) {
    const rule = `At most ${CONSECUTIVE.max} consecutive messages per bot and conversation in 60 minutes without a reply`;
    throw botLoopError('bot_loop_consecutive', rule, { until: consecutiveEnd, now });
  }
}

export interface LoopBlock {
  bot: string;
  rule: 'identical' | 'consecutive';
  /** Epoch milliseconds. */
  until: number;
}

export function loopBlocks(loops: LoopCounters, now: number): LoopBlock[] {
  return Object.entries(loops).flatMap(([bot, { identical, consecutive }]): LoopBlock[] => {
    const same = Math.max(0, ...Object.values(identical).map((times) => blockedUntil(times, IDENTICAL)));
    const inARow = blockedUntil(consecutive, CONSECUTIVE);
    return [
      ...(inARow > now ? [{ bot, rule: 'consecutive' as const, until: inARow }] : []),
      ...(same > now ? [{ bot, rule: 'identical' as const, until: same }] : []),
    ];
  });
}

export function loopCounts({ identical, consecutive }: LoopCounter, now: number) {
  const counts = Object.values(identical).map((times) => recentTimes(times, now, IDENTICAL.windowMs).length);
  return {
    identical: { count: Math.max(0, ...counts), max: IDENTICAL.max },
    consecutive: { count: recentTimes(consecutive, now, CONSECUTIVE.windowMs).length, max: CONSECUTIVE.max },
  };
}

export function unblockBots(loops: LoopCounters, bot: string | undefined): LoopCounters {
  return bot === undefined ? {} : Object.fromEntries(Object.entries(loops).filter(([id]) => id !== bot));
}

function blockedUntil(times: number[], { max, windowMs }: { max: number; windowMs: number }): number {
  const first = times.at(-max);
  return first === undefined ? 0 : first + windowMs;
}

/** Counts an accepted message. Keeps at least the latest 32 bots and 128 distinct messages. */
export function countLoop(
  loops: LoopCounters,
  counted: CountedMessage | undefined,
  now: number,
): LoopCounters {
  if (!counted) return loops;
  if ('reply' in counted) return resetConsecutive(loops, now);
  const { bot, fingerprint } = counted;
  const { identical, consecutive } = loops[bot] ?? { identical: {}, consecutive: [] };
  const times = recentTimes(identical[fingerprint] ?? [], now, IDENTICAL.windowMs);
  return limitCounters({
    ...loops,
    [bot]: {
      identical: { ...dropExpired(identical, now), [fingerprint]: [...times, now].slice(-IDENTICAL.max) },
      consecutive: [...recentTimes(consecutive, now, CONSECUTIVE.windowMs), now].slice(-CONSECUTIVE.max),
    },
  });
}

function resetConsecutive(loops: LoopCounters, now: number): LoopCounters {
  const entries = Object.entries(loops)
    .map(([bot, { identical }]) => [bot, dropExpired(identical, now)] as const)
    .filter(([, identical]) => Object.keys(identical).length > 0);
  return Object.fromEntries(entries.map(([bot, identical]) => [bot, { identical, consecutive: [] }]));
}

function dropExpired(identical: LoopCounter['identical'], now: number): LoopCounter['identical'] {
  const entries = Object.entries(identical);
  const kept = entries.filter(([, times]) => lastTime(times) > now - IDENTICAL.windowMs);
  return kept.length === entries.length ? identical : Object.fromEntries(kept);
}

// Trimming sorts, so trim only above `stored`.
function limitCounters(loops: LoopCounters): LoopCounters {
  const counters = Object.entries(loops);
  const fingerprints = counters.reduce((sum, [, one]) => sum + Object.keys(one.identical).length, 0);
  if (counters.length <= BOTS.stored && fingerprints <= FINGERPRINTS.stored) return loops;
  const latestRuns = selectLatest(
    counters.map(([, { consecutive }]) => consecutive),
    BOTS.kept,
  );
  const bots = counters.filter(([, { consecutive }]) => latestRuns.has(consecutive));
  const latestSaid = selectLatest(
    bots.flatMap(([, { identical }]) => Object.values(identical)),
    FINGERPRINTS.kept,
  );
  return Object.fromEntries(
    bots.map(([bot, { identical, consecutive }]) => {
      const said = Object.entries(identical).filter(([, times]) => latestSaid.has(times));
      return [bot, { identical: Object.fromEntries(said), consecutive }];
    }),
  );
}

function selectLatest(lists: number[][], max: number): Set<number[]> {
  return new Set(lists.sort((a, b) => lastTime(b) - lastTime(a)).slice(0, max));
}

function lastTime(times: number[]): number {
  return times.at(-1) ?? 0;
}

function recentTimes(times: number[], now: number, ms: number): number[] {
  return times.filter((time) => time > now - ms);
}

function botLoopError(
  code: 'bot_loop_identical' | 'bot_loop_consecutive',
  rule: string,
  { until, now }: { until: number; now: number },
): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new DomainError(code, `${rule}; blocked until ${new Date(until).toISOString()}.`, {
    retryAfterSeconds,
  });
}
