import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { SEARCH_ATTRIBUTES } from './contract.ts';

const KEYS = {
  status: defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD),
  organization: defineSearchAttributeKey(SEARCH_ATTRIBUTES.organization, SearchAttributeType.KEYWORD),
  category: defineSearchAttributeKey(SEARCH_ATTRIBUTES.category, SearchAttributeType.KEYWORD),
  touchpoint: defineSearchAttributeKey(SEARCH_ATTRIBUTES.touchpoint, SearchAttributeType.KEYWORD),
};

type Attributes = Record<keyof typeof KEYS, string | null>;

/**
 * Shows operators where a conversation stands: search attributes where they changed, and current
 * details (spec 11.2).
 */
export function createOperatorView(): (state: ConversationState | null) => void {
  let shown: Attributes = { status: null, organization: null, category: null, touchpoint: null };
  return (state) => {
    if (!state) return;
    const now = attributesOf(state);
    const changed = (Object.keys(KEYS) as (keyof typeof KEYS)[]).filter((name) => now[name] !== shown[name]);
    if (changed.length > 0)
      upsertSearchAttributes(changed.map((name) => ({ key: KEYS[name], value: now[name] })));
    shown = now;
    setCurrentDetails(details(state));
  };
}

function attributesOf(state: ConversationState): Attributes {
  const touchpoint = Object.entries(state.touchpoints).find(([, { selected }]) => selected)?.[0] ?? null;
  return {
    status: state.status,
    organization: state.organization,
    category: state.category ?? null,
    touchpoint,
  };
}

function details(state: ConversationState): string {
  const loops = Object.entries(state.loops).map(
    ([bot, { consecutive }]) => `${bot}: ${String(consecutive.length)} unanswered`,
  );
  const rows = [
    ['Status', state.status],
    ['Participants', state.participants.map(({ user }) => user).join(', ')],
    ['Messages', String(state.sequence)],
    ['Delayed messages', delayedOf(state)],
    ['Bot loops', loops.join(', ')],
  ];
  return [
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name ?? ''} | ${value === '' ? 'none' : (value ?? '')} |`),
  ].join('\n');
}

function delayedOf({ pending }: ConversationState): string {
  const next = pending[0];
  return next ? `${String(pending.length)}, next due ${next.dueAt}` : '';
}
