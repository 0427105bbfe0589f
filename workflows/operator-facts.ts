import type { Change } from '../domain/conversations/change.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { contactEffects } from '../domain/effects/contact-effects.ts';
import { labelIds } from '../domain/operators/named.ts';
import type { LabelIds, OperatorFacts } from './contract.ts';

/** What a run knows of what operators are shown. */
export interface OperatorLabels {
  /** What operators are shown beside the state. */
  facts?: OperatorFacts;
  /** Whether this run has asked for them: what an earlier one knew may have changed. */
  named: boolean;
}

/**
 * Whose names are to be asked for with a commit that leads to `state`: all of them once in a run,
 * so that a change of name shows within a hundred updates; else those who are new to it, and the
 * contact where the commit renames them.
 */
export function missingLabels(
  { facts, named }: OperatorLabels,
  state: ConversationState,
  changes: Change[],
): LabelIds {
  const ids = labelIds(state);
  if (!named) return ids;
  const renamed = changes.some((change) => contactEffects(change).some(({ field }) => /name$/i.test(field)));
  return ids.filter((id) => facts?.names[id] === undefined || (renamed && id === state.contact));
}

/** Takes what was answered; who was asked for in vain has no name, and is not asked for again. */
export function mergeLabels(
  known: OperatorLabels,
  asked: LabelIds,
  answered: OperatorFacts | undefined,
): void {
  const latest = answered ?? known.facts;
  if (latest) {
    const before = known.named || !answered ? known.facts?.names : {};
    const nameless = Object.fromEntries(asked.map((id) => [id, '']));
    known.facts = { ...latest, names: { ...before, ...nameless, ...answered?.names } };
  }
  known.named = known.named || asked.length > 0 || answered !== undefined;
}
