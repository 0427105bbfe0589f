/** Whether nobody looks any more; it changes while one waits. */
export function isEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}
