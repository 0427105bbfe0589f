import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

interface Props<T> {
  items: readonly T[];
  /** All are of one height, in pixels. */
  rowHeight: number;
  label: string;
  getKey: (item: T) => string;
  row: (item: T) => ComponentChildren;
  /** Called when the end comes into sight. */
  nearEnd?: () => void;
}

const AROUND = 8;

/** A list of which only what is seen is on the page: ten thousand rows scroll like ten. */
export function Windowed<T>({ items, rowHeight, label, getKey, row, nearEnd }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, count: 30 });
  const look = () => {
    const { current } = list;
    if (!current) return;
    const first = Math.max(0, Math.floor(current.scrollTop / rowHeight) - AROUND);
    const count = Math.ceil(current.clientHeight / rowHeight) + 2 * AROUND;
    setSeen((before) => (before.first === first && before.count === count ? before : { first, count }));
  };
  useLayoutEffect(look, [items.length]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (seen.first + seen.count >= items.length) nearEnd?.();
  }, [seen, items.length]);
  return (
    <div class="windowed" ref={list} onScroll={look} tabIndex={-1}>
      <ul aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(seen.first, seen.first + seen.count).map((item, at) => (
          <li
            key={getKey(item)}
            style={{ top: `${(seen.first + at) * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={seen.first + at + 1}
          >
            {row(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
