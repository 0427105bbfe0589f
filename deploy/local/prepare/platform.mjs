/**
 * Returns a one-line message if Parlance cannot run on `platform` (a value of `process.platform`),
 * otherwise undefined. Repeats deploy/local/platform.ts, which may not be built yet.
 */
export function platformProblem(platform) {
  if (platform !== 'win32') return undefined;
  return 'Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.';
}
