/**
 * `node dist/worker/probe.js <url>`: exits with 0 if the url responds with success, else with 1.
 * Containers have no curl for health checks.
 */
const [, , url = ''] = process.argv;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
