/** Shows the other side that the user is typing (spec 10.8). */
export interface TypingSignal {
  /** Call when the text changes. An empty text ends the signal. */
  writing: (text: string) => void;
}

/** A signal is valid for ten seconds, so repeat it earlier. */
const EVERY_MS = 5_000;

interface TypingSignalOptions {
  isWanted: () => boolean;
  tell: (typing: boolean) => void;
}

export function createTypingSignal({ isWanted, tell }: TypingSignalOptions): TypingSignal {
  let toldAt = -Infinity;
  return {
    writing(text) {
      const typing = text.trim() !== '';
      const now = performance.now();
      const isNews = typing ? now - toldAt > EVERY_MS : toldAt > -Infinity;
      if (!isNews || !isWanted()) return;
      toldAt = typing ? now : -Infinity;
      tell(typing);
    },
  };
}

/** `keyCode` of a key that an input method handles. */
const TAKEN = 229;

/** Safari ends the composition before the key event, so only `keyCode` shows it. */
export function isComposing(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Safari has no other sign.
  return event.isComposing || event.keyCode === TAKEN || event.key === 'Process';
}
