/** The server sends a heartbeat every fifteen seconds. */
const SILENT_MS = 35_000;
const TICK_MS = 1_000;
/** A tick that comes this late means that the device slept and its connections are dead. */
const SLEPT_MS = 15_000;

/** Calls `dead` once: after 35 seconds without a call of `seen`, or after the device slept. */
export function createWatchdog(dead: () => void) {
  let seenAt = Date.now();
  let tickedAt = seenAt;
  const timer = setInterval(() => {
    const now = Date.now();
    const slept = now - tickedAt > SLEPT_MS || now < tickedAt - SLEPT_MS;
    tickedAt = now;
    if (!slept && now - seenAt <= SILENT_MS) return;
    clearInterval(timer);
    dead();
  }, TICK_MS);
  return {
    seen: () => (seenAt = Date.now()),
    stop: () => clearInterval(timer),
  };
}
