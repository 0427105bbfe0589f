import { formatHref } from '../route.ts';
import { useState } from 'preact/hooks';
import { TEXTS } from '../texts.ts';
import { TextField } from './fields.tsx';

interface Props {
  label: string;
  screen: string;
  tabs: readonly { name: string; title: string }[];
  current: string;
}

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
      {'clipboard' in navigator ? (
        <button type="button" onClick={copy}>
          {isCopied ? TEXTS.copied : TEXTS.copy}
        </button>
      ) : null}
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
    <TextField label={TEXTS.webhooks.hours} path="since" type="number" required value={hours} set={set} />
  );
}

/** Returns ISO 8601. */
export function timeBefore(hours: string): string {
  return new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
}
