/**
 * Time as several who work at once share it: of two that run side by side each takes half of it.
 * Times are milliseconds.
 */
export interface SharedTime {
  /** Begins a piece of work; what it answers ends it, and tells how much of the time it took. */
  begin: (now: number) => (now: number) => number;
}

export function createSharedTime(): SharedTime {
  let underWay = 0;
  let countedTo = 0;
  /** What somebody who was under way from the beginning would have taken by now. */
  let share = 0;

  function count(now: number): void {
    if (underWay > 0) share += (now - countedTo) / underWay;
    countedTo = now;
  }

  return {
    begin(now) {
      count(now);
      underWay += 1;
      const before = share;
      return (end) => {
        count(end);
        underWay -= 1;
        return share - before;
      };
    },
  };
}
