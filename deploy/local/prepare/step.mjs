import { spawn } from 'node:child_process';

const TICK_MS = 10_000;

export function say(line) {
  console.log(`prepare: ${line}`);
}

/**
 * Runs a program with visible output and prints its duration, also while it runs. Rejects if the
 * program fails.
 */
export async function step(what, command, args, options) {
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  say(`${what} …`);
  const ticker = setInterval(() => say(`${what} … ${seconds()} s so far`), TICK_MS);
  try {
    await run(command, args, options);
    say(`${what}: done in ${seconds()} s`);
  } catch (error) {
    throw new Error(`${what} failed after ${seconds()} s: ${error.message}`, { cause: error });
  } finally {
    clearInterval(ticker);
  }
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const relay = (signal) => child.kill(signal);
    process.on('SIGINT', relay).on('SIGTERM', relay);
    const settle = (problem) => {
      process.off('SIGINT', relay).off('SIGTERM', relay);
      if (problem) reject(problem);
      else resolve();
    };
    child.once('error', settle);
    child.once('exit', (code, signal) => {
      settle(code === 0 ? undefined : new Error(`${command} ended with ${signal ?? `code ${code}`}`));
    });
  });
}
