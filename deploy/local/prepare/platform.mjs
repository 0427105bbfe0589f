/**
 * Returns why Parlance cannot run on a platform (a value of `process.platform`), in one line, or
 * undefined. Repeats deploy/local/platform.ts, which may not be built yet when this runs.
 */
export function platformProblem(platform) {
  if (platform !== 'win32') return undefined;
  return 'Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.';
}
