/** What browsers say of a key that an input method takes. */
const TAKEN = 229;

/**
 * Whether a key belongs to the input method that composes a character. Safari ends the composition
 * before it tells of the key, and shows it by the key's code alone.
 */
export function isComposing(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Safari has no other sign of it.
  return event.isComposing || event.keyCode === TAKEN || event.key === 'Process';
}
