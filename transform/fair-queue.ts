/** What waits, by organization: they take turns, so that one which has much to do does not make the others wait. */
export interface FairQueue<T> {
  /** Answers false when there is no room. */
  add: (organization: string, item: T) => boolean;
  /** The next item of an organization that `may` have a turn. */
  next: (may: (organization: string) => boolean) => T | undefined;
  /** Takes an item out that waits no longer. */
  remove: (organization: string, item: T) => void;
  takeAll: () => T[];
}

export function fairQueue<T>({ mostOfOne, most }: { mostOfOne: number; most: number }): FairQueue<T> {
  // In the order of turns: whoever had his goes to the end.
  const lines = new Map<string, T[]>();
  let waiting = 0;

  function take(organization: string, line: T[]): T | undefined {
    const item = line.shift();
    waiting -= 1;
    lines.delete(organization);
    if (line.length > 0) lines.set(organization, line);
    return item;
  }

  return {
    add(organization, item) {
      const line = lines.get(organization) ?? [];
      if (line.length >= mostOfOne || waiting >= most) return false;
      line.push(item);
      waiting += 1;
      lines.set(organization, line);
      return true;
    },
    next(may) {
      for (const [organization, line] of lines) if (may(organization)) return take(organization, line);
      return undefined;
    },
    remove(organization, item) {
      const line = lines.get(organization) ?? [];
      const at = line.indexOf(item);
      if (at < 0) return;
      line.splice(at, 1);
      waiting -= 1;
      if (line.length === 0) lines.delete(organization);
    },
    takeAll() {
      const all = [...lines.values()].flat();
      lines.clear();
      waiting = 0;
      return all;
    },
  };
}
