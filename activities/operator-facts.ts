import type { ConversationState } from '../domain/conversations/conversation.ts';
import { findNames, organizationPath } from '../store/conversations/names.ts';
import type { LabelIds, OperatorFacts, SearchAttribute } from '../workflows/contract.ts';

/**
 * What operators are shown beside a conversation's state (spec 11.2). Names are a kindness: those
 * that the store does not tell soon are missing, and nothing waits for them.
 */
export async function loadOperatorLabels(
  { searchAttributes }: { searchAttributes: SearchAttribute[] },
  { organization, contact }: Pick<ConversationState, 'organization' | 'contact'>,
  naming: LabelIds,
): Promise<OperatorFacts> {
  const [names, path] = await Promise.all([
    findNames(naming, { organization, contact }),
    organizationPath(organization),
  ]);
  return { names, path, attributes: searchAttributes };
}
