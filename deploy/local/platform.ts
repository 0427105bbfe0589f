/**
 * Returns a one-line message if Parlance cannot run on `platform` (a value of `process.platform`),
 * otherwise undefined. Parlance needs Unix sockets, process groups and a POSIX shell.
 */
export function platformProblem(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  return 'Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.';
}
