import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const isTerminal = process.stdout.isTTY;
const CLEAR_LINE = '\r\u001b[K';
const TICK_MS = 1_000;
const REPORT_MS = 10_000;

export function say(line) {
  console.log(`prepare: ${line}`);
}

/**
 * Runs a program and prints one line with its duration, preceded by its warnings (stderr). On a
 * terminal the line counts the seconds. If the program fails, prints all of its output.
 */
export async function step(what, command, args, options) {
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  const tick = () => {
    if (isTerminal) process.stdout.write(`${CLEAR_LINE}prepare: ${what} … ${Math.floor(seconds())} s`);
    else say(`${what} … ${seconds()} s so far`);
  };
  if (isTerminal) tick();
  const ticker = setInterval(tick, isTerminal ? TICK_MS : REPORT_MS);
  const output = [];
  const endLine = () => {
    clearInterval(ticker);
    if (isTerminal) process.stdout.write(CLEAR_LINE);
  };
  try {
    await run({ command, args, options }, (text, isWarning) => output.push({ text, isWarning }));
    endLine();
    for (const { text, isWarning } of output) if (isWarning) process.stderr.write(text);
    say(`${what}: done in ${seconds()} s`);
  } catch (error) {
    endLine();
    for (const { text, isWarning } of output) (isWarning ? process.stderr : process.stdout).write(text);
    throw new Error(`${what} failed after ${seconds()} s: ${error.message}`, { cause: error });
  }
}

function run({ command, args, options }, onOutput) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'pipe'], ...options });
    child.stdout.on('data', (text) => onOutput(text, false));
    child.stderr.on('data', (text) => onOutput(text, true));
    const relay = (signal) => child.kill(signal);
    process.on('SIGINT', relay).on('SIGTERM', relay);
    const settle = (problem) => {
      process.off('SIGINT', relay).off('SIGTERM', relay);
      if (problem) reject(problem);
      else resolve();
    };
    child.once('error', settle);
    child.once('close', (code, signal) => {
      settle(code === 0 ? undefined : new Error(`${command} ended with ${signal ?? `code ${code}`}`));
    });
  });
}

const BEAT_MS = 1_000;
const STALE_MS = 10_000;
const POLL_MS = 200;

/**
 * Runs `action` under the lock file `.lock` in `folder`. The holder touches the file every second.
 * A file untouched for ten seconds belongs to a killed process and is taken over.
 */
export async function withLock(folder, action) {
  const path = join(folder, '.lock');
  mkdirSync(folder, { recursive: true });
  for (let attempt = 0; !take(path); attempt += 1) {
    if (attempt === 0) say('waiting for another preparation in this folder to end …');
    await sleep(POLL_MS);
  }
  const beat = setInterval(() => utimesSync(path, new Date(), new Date()), BEAT_MS);
  try {
    return await action();
  } finally {
    clearInterval(beat);
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale(path)) discard(path);
    return false;
  }
}

/** Renames the lock and checks it again: another process may have replaced the stale lock. */
function discard(path) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (!isStale(aside)) linkSync(aside, path);
    rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
}

function isStale(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}
