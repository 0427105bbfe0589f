import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { InboxConversation } from './conversation.ts';

export interface Selection {
  /** Selected rows of the list, in its order. */
  chosen: readonly InboxConversation[];
  has: (id: string) => boolean;
  /** With `isRange`, selects all rows from the last pressed row. */
  toggle: (id: string, isRange: boolean) => void;
  /** Replaces the selection. */
  select: (ids: readonly string[]) => void;
}

/** A conversation that leaves the list leaves the selection. Another `list` begins without one. */
export function useSelection(items: readonly InboxConversation[], list: string): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string>(undefined);
  // A passive effect would drop a row that is selected at once.
  useLayoutEffect(() => {
    setIds(new Set());
    anchor.current = undefined;
  }, [list]);
  return {
    chosen: items.filter(({ id }) => ids.has(id)),
    has: (id) => ids.has(id),
    toggle(id, isRange) {
      const range = isRange ? findRange(items, anchor.current, id) : [];
      anchor.current = id;
      const next = new Set([...ids, ...range]);
      if (range.length === 0 && !next.delete(id)) next.add(id);
      setIds(next);
    },
    select: (next) => setIds(new Set(next)),
  };
}

/** Returns the ids between two rows. Empty unless the list has both. */
function findRange(items: readonly InboxConversation[], from: string | undefined, to: string): string[] {
  const [one, other] = [from, to].map((id) => items.findIndex((item) => item.id === id));
  if (one === undefined || other === undefined || one < 0 || other < 0) return [];
  return items.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id);
}
