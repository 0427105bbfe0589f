import { findCommitsBetween } from '../store/conversations/commits.ts';
import type { LastCommit } from '../store/conversations/commits.ts';
import { isOutage } from '../store/connection/outage.ts';
import { parseCommit } from './commit.ts';
import { writeRows } from './write-rows.ts';
import type { WriteRowsDeps } from './write-rows.ts';

const PAGE = 200;

/** How many commits were looked at, and how many of them nobody can finish. */
export interface FinishedCommits {
  looked: number;
  passedBy: number;
}

/**
 * Finishes the commits of conversations that changed between two times: whoever died between a
 * commit's write and its rows has left some undone. Those that are complete stay as they are; one
 * that cannot be finished is logged and passed by. Rejects only when the store does not answer.
 */
export async function finishCommits(
  deps: FinishDeps,
  between: { from: Date; to: Date },
): Promise<FinishedCommits> {
  let looked = 0;
  let passedBy = 0;
  let { from } = between;
  for (;;) {
    const page = await findCommitsBetween({ from, to: between.to }, PAGE);
    for (const one of page) if (!(await finishCommit(deps, one))) passedBy += 1;
    looked += page.length;
    const last = page.at(-1);
    if (page.length < PAGE || !last) return { looked, passedBy };
    // A millisecond that fills more than a page is passed over rather than looped on.
    from = last.updatedAt > from ? last.updatedAt : new Date(from.getTime() + 1);
  }
}

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
