import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../platform/config/load.ts';
import { choosePorts } from '../support/launcher.ts';
import { childrenOf, cpuMsOf, sumOf } from './cpu-time.ts';

const READY_WITHIN_MS = 300_000;
const REST_MS = 15_000;

interface Measured {
  readyMs: number;
  /** Milliseconds from the start to the output line of each part. */
  parts: Record<string, number>;
  cpuMs: number | null;
  /** Memory of all processes in MB: proportional share, and resident size. */
  pssMb: number;
  rssMb: number;
}

const PARTS: Record<string, RegExp> = {
  'checked what is built': /starting on/,
  'the store is ready': /store is ready/,
  'Temporal is ready': /temporal is ready/,
  'the API listens': /"listening"/,
  'the worker runs': /worker ready/,
};

/**
 * Measures a warm `npm start`: time until readiness by part, CPU time, and memory of all processes
 * fifteen seconds later (`/proc/*\/smaps_rollup`; Linux only): `node --import tsx
 * test/bench/starting.ts [--rounds 3] [--against FOLDER]`. FOLDER is another built copy of the
 * project. The two copies run in turns.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, against: { type: 'string' } },
  });
  const roots = [...(values.against === undefined ? [] : [values.against]), projectRoot()];
  const folders = await Promise.all(roots.map(() => mkdtemp(join(tmpdir(), 'parlance-start-'))));
  const all = roots.map(() => [] as Measured[]);
  try {
    // The first start creates the servers' tables and is not counted.
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const [at, root] of roots.entries()) {
        const measured = await startOnce(root, folders[at] ?? '');
        if (round > 0) all[at]?.push(measured);
      }
    }
    for (const [at, root] of roots.entries()) report(root, all[at] ?? []);
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

async function startOnce(root: string, folder: string): Promise<Measured> {
  const ports = await choosePorts();
  const begun = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...ports, DATA_DIR: folder, FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const pid = child.pid ?? 0;
  const parts: Record<string, number> = {};
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    for (const [part, said] of Object.entries(PARTS)) {
      if (said.test(output)) parts[part] ??= performance.now() - begun;
    }
  });
  try {
    while (!output.includes('Parlance is ready')) {
      if (child.exitCode !== null || performance.now() - begun > READY_WITHIN_MS) throw new Error(output);
      await sleep(10);
    }
    const readyMs = performance.now() - begun;
    const cpuMs = sumOf(await Promise.all((await familyOf(pid)).map(cpuMsOf)));
    await sleep(REST_MS);
    return { readyMs, parts, cpuMs, ...(await memoryOf(await familyOf(pid))) };
  } finally {
    // Signals npm and its children, like Ctrl-C in a terminal.
    if (child.exitCode === null) process.kill(-pid, 'SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

/** Returns a process and all its descendants. */
async function familyOf(pid: number): Promise<number[]> {
  const below = await Promise.all((await childrenOf(pid)).map(familyOf));
  return [pid, ...below.flat()];
}

async function memoryOf(pids: number[]): Promise<{ pssMb: number; rssMb: number }> {
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const sum = (line: RegExp) =>
    texts.reduce((total, text) => total + Number(line.exec(text)?.[1] ?? 0), 0) / 1024;
  return { pssMb: sum(/^Pss:\s+(\d+) kB/m), rssMb: sum(/^Rss:\s+(\d+) kB/m) };
}

function report(root: string, all: Measured[]): void {
  const of = (value: (one: Measured) => number | null | undefined) => {
    const sorted = all.map((one) => value(one) ?? NaN).sort((a, b) => a - b);
    const [least = NaN, median = NaN, most = NaN] = [0, sorted.length >> 1, -1].map((at) => sorted.at(at));
    return `${median.toFixed(0)} (${least.toFixed(0)}–${most.toFixed(0)})`;
  };
  console.log(root);
  for (const part of Object.keys(PARTS)) console.log(`  ${part}, ms: ${of(({ parts }) => parts[part])}`);
  console.log(`  ready, ms: ${of(({ readyMs }) => readyMs)}; goal: at most 6000`);
  console.log(`  CPU until then, ms: ${of(({ cpuMs }) => cpuMs)}`);
  console.log(`  memory at rest, MB: ${of(({ pssMb }) => pssMb)}; goal: at most 500`);
  console.log(`  the same with what they share counted for each, MB: ${of(({ rssMb }) => rssMb)}`);
}

await main();
