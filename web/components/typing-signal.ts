/** Tells the other side that somebody is writing (spec 10.8). */
export interface TypingSignal {
  /** What they have written so far changed; empty: they have stopped. */
  writing: (text: string) => void;
}

/** It holds for ten seconds, so it is told again before. */
const EVERY_MS = 5_000;

interface TypingSignalOptions {
  /** Whether anybody is to know. */
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
/** The `keyCode` of a key that an input method takes. */
const TAKEN = 229;

/**
 * Returns whether a key belongs to the input method that composes a character. Safari ends the
 * composition before the key event: only `keyCode` shows it.
 */
export function isComposing(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Safari has no other sign of it.
  return event.isComposing || event.keyCode === TAKEN || event.key === 'Process';
}
