import { spawn } from 'node:child_process';

/**
 * Ties the life of the process `pid`, which knows nothing of us, to ours: however this process
 * ends, SIGKILL included, the other is ended after it. The returned function unties it; call it as
 * soon as the process has ended by itself.
 *
 * A shell waits at the end of a pipe that only we hold: when we are gone the system closes it, and
 * the shell acts.
 */
export function killWithParent(pid: number): () => void {
  const script = `cat >/dev/null; kill -TERM ${pid}; sleep 5; kill -KILL ${pid}`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.on('error', () => undefined);
  shell.unref();
  return () => shell.kill('SIGKILL');
}
