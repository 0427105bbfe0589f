import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { activeBlocks, conversationDetails } from '../domain/operators/details.ts';
import { isOverdue } from '../domain/timers/timer.ts';
import type { NextTimer } from '../domain/timers/timer.ts';
import { getNextTimer } from './commit.ts';
import type { ConversationCache } from './commit.ts';
import { SEARCH_ATTRIBUTES } from './contract.ts';
import type { OperatorFacts, SearchAttribute } from './contract.ts';

const { KEYWORD, KEYWORD_LIST, BOOL, DATETIME, INT } = SearchAttributeType;

const KEYS = {
  status: defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, KEYWORD),
  organization: defineSearchAttributeKey(SEARCH_ATTRIBUTES.organization, KEYWORD),
  category: defineSearchAttributeKey(SEARCH_ATTRIBUTES.category, KEYWORD),
  touchpoint: defineSearchAttributeKey(SEARCH_ATTRIBUTES.touchpoint, KEYWORD),
  organizationPath: defineSearchAttributeKey(SEARCH_ATTRIBUTES.organizationPath, KEYWORD_LIST),
  contact: defineSearchAttributeKey(SEARCH_ATTRIBUTES.contact, KEYWORD),
  blocked: defineSearchAttributeKey(SEARCH_ATTRIBUTES.blocked, BOOL),
  pendingDelays: defineSearchAttributeKey(SEARCH_ATTRIBUTES.pendingDelays, INT),
  nextTimerAt: defineSearchAttributeKey(SEARCH_ATTRIBUTES.nextTimerAt, DATETIME),
  overdue: defineSearchAttributeKey(SEARCH_ATTRIBUTES.overdue, BOOL),
  snoozedUntil: defineSearchAttributeKey(SEARCH_ATTRIBUTES.snoozedUntil, DATETIME),
};

/** A shorter delay does not raise a displayed `pendingDelays`, to save two writes. */
const SHORT_DELAY_MS = 60_000;

/** Levels of a tenant path that fit into 2 KiB. A longer path keeps its lower levels. */
const MAX_PATH = 60;

/** A later time is displayed only if the timer moved by more than this part of the wait. */
const TIMER_TOLERANCE = 1 / 10;

type DisplayedAttributes = Partial<
  Record<SearchAttribute, string | number | boolean | Date | string[] | undefined>
>;

export interface OperatorView {
  show: (known: ConversationCache) => void;
  /** Returns the end of a bot's block, at which the view becomes outdated, as ISO 8601. */
  validUntil: () => string | undefined;
}

/** Omits attributes that the namespace lacks: they would fail the workflow task forever. */
export function createOperatorView(): OperatorView {
  const shown: DisplayedAttributes = {};
  let until: string | undefined;
  return {
    show(known) {
      const { state, facts, timers, undelivered } = known;
      if (!state) return;
      const now = Date.now();
      const timer = getNextTimer(known);
      const attributes = {
        ...computeAttributes(state, facts, { now, shown }),
        nextTimerAt: timerWorthShowing(timer, { now, shown: shown.nextTimerAt }),
        // False is absent: conversations without timers need no write.
        overdue: isOverdue(state, timers) || undefined,
      };
      const changed = (facts?.attributes ?? []).filter(
        (name): name is keyof typeof KEYS => name in KEYS && !isSameValue(attributes[name], shown[name]),
      );
      if (changed.length > 0) {
        upsertSearchAttributes(
          changed.map((name) => ({ key: KEYS[name], value: attributes[name] ?? null }) as never),
        );
      }
      for (const name of changed) shown[name] = attributes[name];
      until = shown.blocked ? firstBlockEnd(state, now) : undefined;
      setCurrentDetails(conversationDetails({ state, names: facts?.names ?? {}, now, timer, undelivered }));
    },
    validUntil: () => until,
  };
}

function computeAttributes(
  state: ConversationState,
  facts: OperatorFacts | undefined,
  { now, shown }: { now: number; shown: DisplayedAttributes },
): DisplayedAttributes {
  const touchpoint = Object.entries(state.touchpoints).find(([, { selected }]) => selected)?.[0];
  return {
    status: state.status,
    organization: state.organization,
    category: state.category,
    touchpoint,
    organizationPath: facts?.path.slice(-MAX_PATH) ?? [],
    contact: state.contact,
    snoozedUntil: state.snoozedUntil === undefined ? undefined : new Date(state.snoozedUntil),
    blocked: activeBlocks(state, now).length > 0,
    pendingDelays: delaysWorthShowing(state, { now, shown: shown.pendingDelays }),
  };
}

function delaysWorthShowing(
  { pending }: ConversationState,
  { now, shown }: { now: number; shown: DisplayedAttributes['pendingDelays'] },
): number {
  if (pending.length === 0 || typeof shown !== 'number') return pending.length;
  const far = new Date(now + SHORT_DELAY_MS).toISOString();
  return Math.max(Math.min(shown, pending.length), pending.filter(({ dueAt }) => dueAt > far).length);
}

// A quiet timer moves with every message.
function timerWorthShowing(
  timer: NextTimer | undefined,
  { now, shown }: { now: number; shown: DisplayedAttributes['nextTimerAt'] },
): Date | undefined {
  if (!timer) return undefined;
  const at = new Date(timer.at);
  if (!(shown instanceof Date) || shown > at || shown.getTime() <= now) return at;
  return at.getTime() - shown.getTime() > (at.getTime() - now) * TIMER_TOLERANCE ? at : shown;
}

function firstBlockEnd(state: ConversationState, now: number): string | undefined {
  const ends = activeBlocks(state, now).map(({ until }) => until);
  return ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : undefined;
}

function isSameValue(
  a: DisplayedAttributes[SearchAttribute],
  b: DisplayedAttributes[SearchAttribute],
): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => one === b[at]);
  return a === b;
}
