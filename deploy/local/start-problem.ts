/** Why `npm start` cannot start, worded for the operator. Printed without a stack. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/**
 * Returns a one-line message if Parlance cannot run on `platform` (a value of `process.platform`),
 * otherwise undefined. Parlance needs Unix sockets, process groups and a POSIX shell.
 */
export function platformProblem(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  return 'Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.';
}
