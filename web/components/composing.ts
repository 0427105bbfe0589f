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
