import type { LastCommit } from '../store/conversations/commits.ts';
import { isOutage } from '../store/connection/outage.ts';
import { parseCommit } from './commit.ts';
import { writeRows } from './write-rows.ts';
import type { WriteRowsDeps } from './write-rows.ts';

export interface FinishDeps extends WriteRowsDeps {
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Writes the rows of a conversation's last commit as far as they are missing, for somebody who has
 * others to look after as well. False, and a line in the log, where nobody could write them, such
 * as those of a commit that cannot be read. Rejects only when the store does not answer.
 */
export async function finishCommit(
  deps: FinishDeps,
  { _id, commit, results }: Pick<LastCommit, '_id' | 'commit' | 'results'>,
): Promise<boolean> {
  try {
    await writeRows(deps, parseCommit(commit), results);
    return true;
  } catch (error) {
    if (isOutage(error)) throw error;
    deps.log.warn({ err: error, conversation: _id }, 'the last commit of a conversation cannot be finished');
    return false;
  }
}
