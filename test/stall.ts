/**
 * Runs test/suite.mjs on a machine that pauses: all processes of the run stop for five seconds,
 * every 20 to 40 seconds. With `--half-core`, the run has half a core instead. Other arguments are
 * for the suite. `STALL_SEED` chooses the moments.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCpuShares } from './bench/growth/cpu-share.ts';

const STALL_MS = 5_000;
const MIN_PAUSE_MS = 20_000;
const MAX_PAUSE_MS = 40_000;
const CORES = 0.5;

const seed = Number(process.env['STALL_SEED'] ?? 1988);
const isHalfCore = process.argv.includes('--half-core');
const given = process.argv.slice(2).filter((argument) => argument !== '--half-core');
const suite = spawn(process.execPath, ['test/suite.mjs', ...given], { stdio: 'inherit' });
const ended = once(suite, 'exit') as Promise<[number | null]>;
const pid = suite.pid ?? 0;
const shares = createCpuShares();
if (isHalfCore) await shares.hold(pid, CORES);
else void stallUntilExit();
const [code] = await ended;
if (isHalfCore) await shares.release();
process.exitCode = code ?? 1;

async function stallUntilExit(): Promise<void> {
  for (let state = seed; suite.exitCode === null && suite.signalCode === null; state = next(state)) {
    await sleep(MIN_PAUSE_MS + (state % (MAX_PAUSE_MS - MIN_PAUSE_MS)), undefined, { ref: false });
    const stopped = await stopAll();
    await sleep(STALL_MS);
    // Backwards, so that no parent sees a stopped child.
    for (const one of stopped.reverse()) signal(one, 'SIGCONT');
    console.log(`stalled ${stopped.length} processes (seed ${seed})`);
  }
}

/** Returns the stopped processes, without those that a test has stopped itself. */
async function stopAll(): Promise<number[]> {
  const stopped = new Set<number>();
  // A process may start others before it stops.
  for (let found = await findRunning(); found.some((one) => !stopped.has(one)); found = await findRunning())
    for (const one of found) if (signal(one, 'SIGSTOP')) stopped.add(one);
  return [...stopped];
}

/** Returns the suite and its descendants, without stopped and ended processes. */
async function findRunning(): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = (await Promise.all(names.map(readStat))).filter((one) => one !== null);
  const reach = (parent: number): number[] => [
    parent,
    ...processes.filter((one) => one.parent === parent).flatMap((one) => reach(one.pid)),
  ];
  const running = new Set(processes.filter(({ state }) => !/[TZX]/.test(state)).map((one) => one.pid));
  return reach(pid).filter((one) => running.has(one));
}

// The name of a process, in brackets, may contain spaces.
async function readStat(name: string) {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const [state = '', parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(name), state, parent: Number(parent) };
}

function signal(one: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(one, name);
  } catch {
    return false;
  }
}

/** A linear congruential generator. */
function next(state: number): number {
  return (state * 1_103_515_245 + 12_345) % 2 ** 31;
}
