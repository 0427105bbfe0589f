import { saveValue, loadValue } from './keep.ts';

/**
 * What the reader may wish to be told by, besides the page itself: off until they ask (spec 10.9).
 */
export type Alert = 'sound' | 'notifications';

let audio: AudioContext | undefined;

/** Whether it is on; a permission that was taken back turns notifications off. */
export function isAlertOn(alert: Alert): boolean {
  if (!loadValue<boolean>(alert, false)) return false;
  return alert === 'sound' || ('Notification' in window && Notification.permission === 'granted');
}

/** Turns it on or off, asking the browser where that has to be; answers whether it is on then. */
export async function setAlert(alert: Alert, on: boolean): Promise<boolean> {
  const allowed = !on || alert === 'sound' || (await mayNotify());
  saveValue(alert, on && allowed);
  if (on && alert === 'sound') beep();
  return on && allowed;
}

/** Tells of something that was said, in the ways that the reader wished. */
export function showAlert({ title, text }: { title: string; text: string }): void {
  if (isAlertOn('sound')) beep();
  if (!isAlertOn('notifications')) return;
  try {
    // The newest takes the place of the one before.
    const shown = new Notification(title, { body: text.slice(0, 200), tag: `parlance ${location.pathname}` });
    shown.onclick = () => window.focus();
  } catch {
    // Some phones know notifications of service workers only.
  }
}

async function mayNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Two short notes, made here: nothing is loaded for them. */
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
