/**
 * `node dist/worker/probe.js <url>`: ends with 0 when the address answers well, with 1 otherwise.
 * For health checks of containers, which have no curl.
 */
const [, , url = ''] = process.argv;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
