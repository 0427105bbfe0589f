import type { LineSink } from './lines.ts';
import { launch } from './program.ts';
import type { Program, RunningProgram } from './program.ts';

const START_MS = 60_000;
const STOP_MS = 5_000;

export interface ServerProcess {
  pid: number;
  /** Stops gracefully, within some seconds. */
  close: () => Promise<void>;
  /** Kills at once, like a power cut. */
  kill: () => void;
}

/**
 * Starts a server and waits until it is `ready`. Rejects with the server's last line if it exits
 * first or takes over a minute.
 */
export async function startServer(options: {
  name: string;
  program: Program;
  ready: (signal: AbortSignal) => Promise<void>;
  log: LineSink;
}): Promise<ServerProcess> {
  let last = '';
  const onLine = (line: string) => {
    last = line;
    options.log(line);
  };
  const running = launch(options.program, { onLine });
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), START_MS);
  const ready = options.ready(given.signal).then(
    () => undefined,
    () => `is not ready after ${START_MS / 1000} s`,
  );
  const problem = await Promise.race([ready, running.ended.then((end) => `ended with ${end}: ${last}`)]);
  clearTimeout(timer);
  given.abort();
  if (problem === undefined) return serverProcess(running);
  running.kill();
  throw new Error(`${options.name} ${problem}`);
}

function serverProcess(running: RunningProgram): ServerProcess {
  return { pid: running.pid, close: () => running.stop(STOP_MS), kill: running.kill };
}
