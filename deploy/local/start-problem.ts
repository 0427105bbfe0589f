/** Error printed to the operator without a stack. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** Parlance needs Unix sockets, process groups and a POSIX shell. */
export function platformProblem(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  return 'Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.';
}
