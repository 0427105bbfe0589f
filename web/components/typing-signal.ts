/** Interval of typing signals. Each signal is valid for ten seconds. */
const EVERY_MS = 5_000;

interface TypingSignalOptions {
  isWanted: () => boolean;
  tell: (typing: boolean) => void;
}

/**
 * Shows the other side that the user is typing (spec 10.8). Call the returned function with each
 * change of the text. An empty text ends the signal.
 */
export function createTypingSignal({ isWanted, tell }: TypingSignalOptions): (text: string) => void {
  let toldAt = -Infinity;
  return (text) => {
    const typing = text.trim() !== '';
    const now = performance.now();
    const isNews = typing ? now - toldAt > EVERY_MS : toldAt > -Infinity;
    if (!isNews || !isWanted()) return;
    toldAt = typing ? now : -Infinity;
    tell(typing);
  };
}

/** `keyCode` of a key that an input method handles. */
const TAKEN = 229;

/** Safari ends the composition before the key event, so only `keyCode` shows the input method. */
export function isComposing(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- Safari has no other sign.
  return event.isComposing || event.keyCode === TAKEN || event.key === 'Process';
}
