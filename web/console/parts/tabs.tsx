import { Fragment } from 'preact';
import type { JSX } from 'preact';
import { formatHref } from '../route.ts';
import type { RoutePath } from '../route.ts';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { webhooks as WEBHOOK_WORDS } from '../webhooks/texts.ts';
import { TEXTS } from '../texts.ts';
import { TextField } from './fields.tsx';

interface Tab {
  name: string;
  title: string;
  list: () => JSX.Element;
  page: (id: string) => JSX.Element;
}

interface TabbedProps {
  label: string;
  screen: string;
  tabs: readonly [Tab, ...Tab[]];
  /** Name of the tab, then id of a record. */
  place: RoutePath;
}

export function Tabbed({ label, screen, tabs, place: [part, id] }: TabbedProps) {
  const current = tabs.find(({ name }) => name === part) ?? tabs[0];
  return (
    <div class="page">
      <nav class="tabs" aria-label={label}>
        {tabs.map(({ name, title }) => (
          <a
            key={name}
            href={formatHref(screen, name)}
            aria-current={name === current.name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <Fragment key={`${current.name} ${id ?? ''}`}>
        {id === undefined ? current.list() : current.page(id)}
      </Fragment>
    </div>
  );
}

export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <p class="copyable">
      <input
        type="text"
        readOnly
        aria-label={label}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      {'clipboard' in navigator ? <Button word={isCopied ? TEXTS.copied : TEXTS.copy} press={copy} /> : null}
    </p>
  );
}

const HOUR_MS = 3_600_000;

interface SinceFieldProps {
  hours: string;
  set: (hours: string) => void;
}

export function SinceField({ hours, set }: SinceFieldProps) {
  return (
    <TextField label={WEBHOOK_WORDS.hours} path="since" type="number" required value={hours} set={set} />
  );
}

export function timeBefore(hours: string): string {
  return new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
}
