import { Picture } from '../components/picture.tsx';
import { CloseIcon, MoreIcon } from '../components/icons.tsx';
import { TEXTS } from '../components/texts.ts';
import type { ChatState } from '../components/types.ts';
import type { Branding } from '../look.ts';
import type { Host } from './host.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isAlertOn, setAlert } from './alerts.ts';
import type { Alert } from './alerts.ts';

interface Props {
  look: Branding;
  state: ChatState;
  host: Host;
  print: () => void;
}

export function Header({ look: { title, logo, hours }, state, host, print }: Props) {
  return (
    <header>
      {logo === undefined ? null : <Picture class="logo" url={logo} alt="" missing={<></>} />}
      <div class="who">
        <h1>{title || TEXTS.conversation}</h1>
        {hours === undefined ? null : (
          <p class="hours">
            <span class="hidden">{TEXTS.hours}: </span>
            {hours}
          </p>
        )}
      </div>
      <p class={`connection ${state.connection}`} role="status">
        {describeConnection(state)}
      </p>
      <Options print={print} mayNotify={!host.isWidget} />
      {host.isWidget ? (
        <button
          type="button"
          class="plain"
          aria-label={TEXTS.widget.close}
          onClick={() => host.tell({ close: true })}
        >
          <CloseIcon />
        </button>
      ) : null}
    </header>
  );
}

function describeConnection({ connection, outgoing }: ChatState): string {
  if (connection === 'online') return TEXTS.connected;
  if (connection !== 'offline') return TEXTS[connection];
  return outgoing.length > 0 ? TEXTS.reconnectingToSend : TEXTS.reconnecting;
}

/** Framed pages may not ask for notifications. */
function Options({ print, mayNotify }: { print: () => void; mayNotify: boolean }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeBehind(details), []);
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

function closeBehind({ current }: { current: HTMLDetailsElement | null }): void {
  const close = () => {
    if (current) current.open = false;
  };
  document.addEventListener('click', ({ target }) => {
    if (!current?.contains(target as Node)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !current?.open) return;
    event.preventDefault();
    current.querySelector('summary')?.focus();
    close();
  });
}
