import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { processIdentity } from '@parlance/process-lock';
import { endLeftovers } from '../../../deploy/local/data-folder.ts';
import { restartDelayMs, keepRunning } from '../../../deploy/local/supervisor.ts';
import { testFolder } from './support/folder.ts';
import { runSource } from './support/process.ts';
import type { TestProcess } from './support/process.ts';
import { eventually } from '../../support/eventually.ts';

const NAMES = ['api', 'worker', 'temporal'];

async function startGroup(folder: string, stubborn = '', stopMs = 300): Promise<TestProcess> {
  const group = runSource('test/deploy/local/fixtures/group.ts', {
    args: [folder, stubborn, String(stopMs)],
  });
  await group.says(/all ready/);
  for (const name of NAMES) {
    await group.says(new RegExp(`${name} up \\d+\n`));
    await eventually(() => readFileSync(join(folder, `${name}.pid`), 'utf8') !== '');
  }
  return group;
}

/** Returns the latest process id printed for a name. */
function pidOf(group: TestProcess, name: string): number {
  return Number([...group.output().matchAll(new RegExp(`${name} up (\\d+)`, 'g'))].at(-1)?.[1]);
}

async function areGone(pids: number[]): Promise<boolean> {
  const alive = await Promise.all(pids.map((pid) => processIdentity(pid)));
  return alive.every((identity) => identity === undefined);
}

describe('keeping processes running', () => {
  test('the supervisor restarts a killed process after 200 ms, and after a longer delay each further time', async () => {
    const group = await startGroup(testFolder());
    for (const [name, waitMs] of [
      ['api', 200],
      ['api', 400],
      ['temporal', 200],
    ] as const) {
      const pid = pidOf(group, name);
      process.kill(pid, 'SIGKILL');
      await group.says(new RegExp(`${name} ended \\(SIGKILL\\); starting it again in ${waitMs} ms`));
      await eventually(() => pidOf(group, name) !== pid);
    }
  });

  test('the supervisor doubles the delay of restarts from 200 ms up to 10 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(restartDelayMs)).toEqual([
      200, 400, 800, 1600, 3200, 6400, 10000, 10000,
    ]);
  });

  test('the supervisor gives up a process that ended four times without becoming ready, and reports the exit code', async () => {
    const said: string[] = [];
    const component = keepRunning({
      name: 'store',
      program: { command: 'sh', args: ['-c', 'echo no disk; exit 3'] },
      ready: (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error()))),
      stopMs: 100,
      runDir: testFolder(),
      log: (line) => said.push(line),
      say: (line) => said.push(line),
    });
    await expect(component.ready).rejects.toThrow('store ended 4 times (code 3); see its lines above');
    expect(said.filter((line) => line === 'no disk')).toHaveLength(4);
  });

  test('the supervisor does not restart a process that reports damaged data', async () => {
    const said: string[] = [];
    const component = keepRunning({
      name: 'store',
      program: { command: 'sh', args: ['-c', 'echo the folder is damaged; exit 65'] },
      ready: () => new Promise(() => undefined),
      stopMs: 100,
      runDir: testFolder(),
      log: (line) => said.push(line),
      say: (line) => said.push(line),
    });
    await expect(component.ready).rejects.toThrow('store cannot use its data; see its line above');
    expect(said).toEqual(['the folder is damaged']);
  });

  test('the supervisor does not restart a process that reports missing data, because a restart could create an empty folder', async () => {
    const said: string[] = [];
    const component = keepRunning({
      name: 'store',
      program: { command: 'sh', args: ['-c', 'sleep 0.2; echo the data are gone; exit 65'] },
      ready: () => Promise.resolve(),
      stopMs: 100,
      runDir: testFolder(),
      log: (line) => said.push(line),
      say: (line) => said.push(line),
    });
    await component.ready;
    await eventually(() => said.length >= 2);
    await component.stop();
    expect(said).toEqual(['the data are gone', 'store is not started again']);
  });

  test('the supervisor does not restart a program that does not exist', async () => {
    const component = keepRunning({
      name: 'store',
      program: { command: '/nowhere/mongod', args: [] },
      ready: () => new Promise(() => undefined),
      stopMs: 100,
      runDir: testFolder(),
      log: () => undefined,
      say: () => undefined,
    });
    await expect(component.ready).rejects.toThrow(/ENOENT/);
  });
});

describe('stopping the supervisor', () => {
  test('stopping the supervisor ends the processes that handle requests first and the databases last, and exits with 0', async () => {
    const folder = testFolder();
    const group = await startGroup(folder);
    const pids = NAMES.map((name) => pidOf(group, name));
    group.signal('SIGINT');
    expect(await group.ended).toBe(0);
    expect(readFileSync(join(folder, 'ends'), 'utf8')).toBe('api\nworker\ntemporal\n');
    expect(await areGone(pids)).toBe(true);
    expect(readdirSync(folder)).toEqual(['ends']);
  });

  test('stopping the supervisor treats SIGINT and SIGTERM, sent by the terminal and by npm, as one signal', async () => {
    const folder = testFolder();
    const group = await startGroup(folder);
    group.signal('SIGINT');
    group.signal('SIGTERM');
    expect(await group.ended).toBe(0);
    expect(readFileSync(join(folder, 'ends'), 'utf8')).toBe('api\nworker\ntemporal\n');
  });

  test('stopping the supervisor kills a process that does not stop in time, and then stops the remaining processes', async () => {
    const folder = testFolder();
    const group = await startGroup(folder, 'api');
    group.signal('SIGTERM');
    expect(await group.ended).toBe(0);
    expect(readFileSync(join(folder, 'ends'), 'utf8')).toBe('worker\ntemporal\n');
  });

  test('stopping the supervisor kills all processes at the second Ctrl-C', async () => {
    // The process that ignores signals has ten minutes to stop, so only the second Ctrl-C can end
    // it earlier.
    const group = await startGroup(testFolder(), 'api', 600_000);
    const pids = NAMES.map((name) => pidOf(group, name));
    // Repeats the signal, because a busy machine may merge two signals.
    const impatient = setInterval(() => group.signal('SIGINT'), 700);
    group.signal('SIGINT');
    expect(await group.ended).toBe(1);
    clearInterval(impatient);
    await eventually(() => areGone(pids));
  });
});

describe('a supervisor that is killed', () => {
  test('all processes of a killed supervisor end', async () => {
    const group = await startGroup(testFolder());
    const pids = NAMES.map((name) => pidOf(group, name));
    group.signal('SIGKILL');
    await group.ended;
    await eventually(() => areGone(pids));
  });

  test('a process that survives a killed supervisor is ended by the next start', async () => {
    const folder = testFolder();
    const first = await startGroup(folder, 'worker');
    const pid = pidOf(first, 'worker');
    // A stopped process does not notice that its supervisor is gone.
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => {
      if (!leftoverIsGone) process.kill(pid, 'SIGKILL');
    });
    let leftoverIsGone = false;
    first.signal('SIGKILL');
    await first.ended;
    const second = await startGroup(folder);
    leftoverIsGone = await areGone([pid]);
    expect(leftoverIsGone).toBe(true);
    expect(second.output()).toMatch(/ended worker/);
  });
});

describe("a copy of a running product's folder", () => {
  test("the next start in a copy of a running product's folder does not end the processes of the original", async () => {
    const folder = testFolder();
    const first = await startGroup(folder);
    const pids = NAMES.map((name) => pidOf(first, name));
    const copy = join(testFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    expect(await endLeftovers(copy)).toEqual([]);
    expect(await Promise.all(pids.map((pid) => processIdentity(pid)))).not.toContain(undefined);
    expect(readdirSync(copy)).toEqual([]);
  });
});
