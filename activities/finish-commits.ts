import { findCommitsBetween } from '../store/conversations/commits.ts';
import { finishCommit } from './finish-commit.ts';
import type { FinishDeps } from './finish-commit.ts';

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
