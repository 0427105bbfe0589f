import { formatHref } from '../route.ts';

interface Props {
  label: string;
  /** The screen that they are in. */
  screen: string;
  tabs: readonly { name: string; title: string }[];
  current: string;
}

/** The parts of a screen. */
export function Tabs({ label, screen, tabs, current }: Props) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, title }) => (
        <a key={name} href={formatHref(screen, name)} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
