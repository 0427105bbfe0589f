import { useEffect, useRef, useState } from 'preact/hooks';
import { MoreIcon } from '../components/icons.tsx';
import { TEXTS } from '../components/texts.ts';
import { isAlertOn, setAlert } from './alerts.ts';
import type { Alert } from './alerts.ts';

/** What the reader may turn on, and printing. Browsers let no framed page ask for notifications. */
export function Options({ print, mayNotify }: { print: () => void; mayNotify: boolean }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => closingBehind(details), []);
  const alerts: Alert[] = mayNotify ? ['sound', 'notifications'] : ['sound'];
  return (
    <details class="options" ref={details}>
      <summary class="plain" aria-label={TEXTS.options}>
        <MoreIcon />
      </summary>
      <ul>
        {alerts.map((alert) => (
          <li key={alert}>
            <Toggle alert={alert} />
          </li>
        ))}
        <li>
          <button
            type="button"
            onClick={() => {
              details.current?.removeAttribute('open');
              print();
            }}
          >
            {TEXTS.print}
          </button>
        </li>
      </ul>
    </details>
  );
}

function Toggle({ alert }: { alert: Alert }) {
  const [on, setOn] = useState(isAlertOn(alert));
  const [isRefused, setRefused] = useState(false);
  const press = async () => {
    const now = await setAlert(alert, !on);
    setRefused(!on && !now);
    setOn(now);
  };
  return (
    <>
      <button type="button" role="switch" aria-checked={on} onClick={() => void press()}>
        {TEXTS[alert]}
      </button>
      {isRefused ? <p role="alert">{TEXTS.notAllowed}</p> : null}
    </>
  );
}

/** Escape and a click elsewhere close it. Answers how to end that. */
function closingBehind({ current }: { current: HTMLDetailsElement | null }): () => void {
  const close = (event: Event) => {
    if (!current?.open) return;
    if (event instanceof KeyboardEvent) {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      current.querySelector('summary')?.focus();
    } else if (current.contains(event.target as Node)) return;
    current.open = false;
  };
  document.addEventListener('click', close);
  document.addEventListener('keydown', close);
  return () => {
    document.removeEventListener('click', close);
    document.removeEventListener('keydown', close);
  };
}
