/** Returns a function to call when a read begins. `isLate`: a later read has ended before. */
export function createTurns(): () => { isLate: () => boolean } {
  let begun = 0;
  let ended = 0;
  return () => {
    const turn = (begun += 1);
    return {
      isLate() {
        if (turn < ended) return true;
        ended = turn;
        return false;
      },
    };
  };
}
