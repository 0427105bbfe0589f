/**
 * Health check of containers, which have no curl: `node dist/worker/probe.js [url]`. Without a url,
 * checks that the container's process is alive, whether it is an API or a worker.
 */
const { argv, env } = process;
const ports = [env['PORT'] || '3000', env['WORKER_PORT'] || '3001'];
const urls = argv[2] === undefined ? ports.map((port) => `http://127.0.0.1:${port}/healthz`) : [argv[2]];
const isOk = async (url: string) =>
  (await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined))?.ok;
process.exit((await Promise.all(urls.map(isOk))).includes(true) ? 0 : 1);
