import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './step.mjs';

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
  let told = false;
  while (!take(path)) {
    if (!told) say('waiting for another preparation in this folder to end …');
    told = true;
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

/**
 * Two processes may find the same lock stale. Renaming and checking again keeps the second process
 * from removing the first one's new lock.
 */
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
