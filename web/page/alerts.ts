import { saveValue, loadValue } from './stored-values.ts';

/** Alerts are off by default (spec 10.9). */
export type Alert = 'sound' | 'notifications';

let audio: AudioContext | undefined;

export function isAlertOn(alert: Alert): boolean {
  if (!loadValue<boolean>(alert, false)) return false;
  return alert === 'sound' || ('Notification' in window && Notification.permission === 'granted');
}

/** Returns whether the alert is on now. */
export async function setAlert(alert: Alert, on: boolean): Promise<boolean> {
  const allowed = !on || alert === 'sound' || (await mayNotify());
  saveValue(alert, on && allowed);
  if (on && alert === 'sound') beep();
  return on && allowed;
}

interface News {
  title: string;
  text: string;
  /** Conversation. */
  about?: string;
  open?: () => void;
}

const MAX_CHARACTERS = 200;
const shown = new Map<string, { count: number; notification: Notification }>();

export function showAlert({ title, text, about = location.pathname, open }: News): void {
  if (isAlertOn('sound')) beep();
  if (!isAlertOn('notifications')) return;
  const count = (shown.get(about)?.count ?? 0) + 1;
  const options = {
    body: Array.from(text).slice(0, MAX_CHARACTERS).join(''),
    tag: `parlance ${about}`,
    // Otherwise the browser replaces the notification in silence.
    renotify: true,
  };
  try {
    const notification = new Notification(count > 1 ? `(${count}) ${title}` : title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
      open?.();
    };
    if (shown.size === 0) addEventListener('focus', closeAll, { once: true });
    shown.set(about, { count, notification });
  } catch {
    // Some phones support only notifications of service workers.
  }
}

function closeAll(): void {
  for (const { notification } of shown.values()) notification.close();
  shown.clear();
}

async function mayNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

function beep(): void {
  audio ??= new AudioContext();
  void audio.resume();
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.08, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  gain.connect(audio.destination);
  for (const [at, frequency] of [660, 880].entries()) {
    const note = audio.createOscillator();
    note.frequency.value = frequency;
    note.connect(gain);
    note.start(audio.currentTime + at * 0.12);
    note.stop(audio.currentTime + at * 0.12 + 0.22);
  }
}
