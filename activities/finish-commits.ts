import { findCommitsBetween } from '../store/conversations/commits.ts';
import type { LastCommit } from '../store/conversations/commits.ts';
import { isOutage } from '../store/connection/outage.ts';
import { parseCommit } from './commit.ts';
import { writeRows } from './write-rows.ts';
import type { WriteRowsDeps } from './write-rows.ts';

const PAGE = 200;

export interface FinishedCommits {
  looked: number;
  passedBy: number;
}

/**
 * Writes missing rows of conversations that changed between two times: a worker may have crashed
 * after a commit. Rejects only if the store is down.
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
    // Skip the rest of a millisecond that fills more than a page, to avoid an endless loop.
    from = last.updatedAt > from ? last.updatedAt : new Date(from.getTime() + 1);
  }
}

export interface FinishDeps extends WriteRowsDeps {
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Writes missing rows. Logs and returns false if that is impossible, as for an unreadable commit.
 * Rejects only if the store is down.
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
