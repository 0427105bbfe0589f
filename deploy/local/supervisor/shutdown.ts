/**
 * One Ctrl-C can arrive several times: the terminal sends it to the whole process group, and npm
 * passes on its own copy. What follows within this time is the same one.
 */
const SAME_MS = 500;

/**
 * Calls `gently` at the first SIGINT, SIGTERM or SIGHUP, and `atOnce` when somebody asks a second
 * time.
 */
export function onShutdown(gently: () => void, atOnce: () => void): void {
  let askedAt: number | undefined;
  const ask = () => {
    const now = Date.now();
    if (askedAt === undefined) {
      askedAt = now;
      gently();
    } else if (now - askedAt > SAME_MS) atOnce();
  };
  process.on('SIGINT', ask).on('SIGTERM', ask).on('SIGHUP', ask);
}
