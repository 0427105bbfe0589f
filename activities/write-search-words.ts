import { conversationWords, searchWords } from '../domain/query/search-words.ts';
import { indexConversation } from '../store/conversations/search-words.ts';
import { getStateAfter } from './commit.ts';
import type { CommitWithStates } from './commit.ts';

/** Notes what a conversation is found by after a commit, if that changes (spec 5). Repeatable. */
export async function writeSearchWords(commit: CommitWithStates): Promise<void> {
  const { base } = commit;
  const next = getStateAfter(commit);
  const results = resultWords(commit);
  const isNew = base.version === 0;
  if (isNew || next.name !== base.name || next.forms !== base.forms || results.length > 0) {
    const { id, organization, contact } = base;
    const own = conversationWords(next);
    await indexConversation({ id, organization, contact, version: base.version + 1, own, results }, isNew);
  }
}

function resultWords({ changes }: CommitWithStates): string[] {
  return changes.flatMap((change) =>
    change.kind === 'processed' && change.message.type === 'results'
      ? searchWords((change.message.results ?? []).map(({ formName, values }) => [formName, values]))
      : [],
  );
}
