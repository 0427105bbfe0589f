/** Health check of containers, which have no curl: `node dist/worker/probe.js <url>`. */
const [, , url = ''] = process.argv;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
