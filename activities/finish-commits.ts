import { findCommitsBetween } from '../store/conversation-commits.ts';
import { parseCommit } from './commit.ts';
import { spread } from './spread.ts';
import type { SpreadDeps } from './spread.ts';

const PAGE = 200;

/**
 * Finishes the commits of conversations that changed between two times: whoever died between a commit's write and its rows has left
 * some undone. Those that are complete stay as they are. Answers how many it looked at.
 */
export async function finishCommits(deps: SpreadDeps, between: { from: Date; to: Date }): Promise<number> {
  let looked = 0;
  let { from } = between;
  for (;;) {
    const page = await findCommitsBetween({ from, to: between.to }, PAGE);
    for (const { commit, results } of page) await spread(deps, parseCommit(commit), results);
    looked += page.length;
    const last = page.at(-1);
    if (page.length < PAGE || !last) return looked;
    // A millisecond that fills more than a page is passed over rather than looped on.
    from = last.updatedAt > from ? last.updatedAt : new Date(from.getTime() + 1);
  }
}
