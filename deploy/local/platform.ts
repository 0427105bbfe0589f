/**
 * Returns why Parlance cannot run on a platform (a value of `process.platform`), in one line, or
 * undefined. Parlance needs Unix sockets, process groups and a POSIX shell.
 */
export function platformProblem(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  return 'Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.';
}
