import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './step.mjs';

const BEAT_MS = 1_000;
const STALE_MS = 10_000;
const POLL_MS = 200;

/**
 * Runs `action` while no other process does, over the file `.lock` in `folder`. Its holder touches
 * it every second, so one that nobody has touched for ten is a killed process' and is taken over.
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
 * Two may find the same lock stale. Renamed first and looked at again, so that the second does not
 * discard the first's.
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
