import { ChevronDown } from 'lucide';
import type { RefObject } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../language.ts';
import { Count } from '../parts/count.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { formatHrefWith, pushRoute } from '../route.ts';
import { CountsContext } from './counts.tsx';
import { countFitting } from './fitting.ts';
import { readCriteria } from './filters.ts';
import type { Criteria, InboxFilter } from './filters.ts';
import { useTeams } from './teams.tsx';
import { INBOX_WORDS } from './texts.ts';

/** The lists in one line. A menu has the lists that do not fit, and the name of the chosen list. */
export function ListTabs({ list, criteria }: { list: InboxFilter; criteria: Criteria }) {
  const counts = useContext(CountsContext);
  const { lists } = useTeams();
  const line = useRef<HTMLElement>(null);
  const fitting = useFitting(line, JSON.stringify([lists.map(({ title }) => title), counts, list.name]));
  // Each list keeps the criteria that it can be narrowed by.
  const address = (one: InboxFilter) => formatHrefWith(readCriteria(criteria, one), 'inbox', one.name);
  const others = lists.slice(fitting);
  const chosen = others.find(({ name }) => name === list.name);
  const count = (one: InboxFilter) => <Count of={counts[one.name]} isCalm={one.name !== 'unread'} />;
  return (
    <nav class="tabs list-tabs" aria-label={INBOX_WORDS.lists} ref={line}>
      {lists.map((one, at) => (
        <a
          key={one.name}
          class={at < fitting ? undefined : 'spare'}
          inert={at >= fitting}
          href={address(one)}
          aria-current={one.name === list.name ? 'true' : undefined}
        >
          {one.title} {count(one)}
        </a>
      ))}
      {others.length > 0 ? (
        <Menu
          class={chosen ? 'other-lists chosen' : 'other-lists'}
          label={chosen ? `${chosen.title}, ${INBOX_WORDS.otherLists}` : INBOX_WORDS.otherLists}
          items={others.map((one) => ({
            word: nameWithCount(one.title, counts[one.name]),
            press: () => pushRoute(address(one)),
          }))}
        >
          {chosen ? <span class="word">{chosen.title}</span> : null}
          {chosen ? count(chosen) : null}
          <Icon icon={ChevronDown} />
        </Menu>
      ) : null}
    </nav>
  );
}

function nameWithCount(title: string, count = 0): string {
  return count === 0 ? title : `${title} · ${formatNumber(count)}`;
}

/** Returns how many tabs fit into the line. They are measured again when `key` changes. */
function useFitting(line: RefObject<HTMLElement | null>, key: string): number {
  const [fitting, setFitting] = useState(Infinity);
  useLayoutEffect(() => {
    const { current } = line;
    if (!current) return undefined;
    const measure = () => {
      const tabs = [...current.querySelectorAll<HTMLElement>(':scope > a')];
      const widths = tabs.map((tab) => tab.getBoundingClientRect().width);
      const chosen = tabs.findIndex((tab) => tab.ariaCurrent === 'true');
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(current);
      const room = current.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
      setFitting(countFitting(widths, room, chosen));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [key]);
  return fitting;
}
