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

export function showAlert({ title, text }: { title: string; text: string }): void {
  if (isAlertOn('sound')) beep();
  if (!isAlertOn('notifications')) return;
  try {
    // The same tag replaces the previous notification.
    const shown = new Notification(title, { body: text.slice(0, 200), tag: `parlance ${location.pathname}` });
    shown.onclick = () => window.focus();
  } catch {
    // Some phones support only notifications of service workers.
  }
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
