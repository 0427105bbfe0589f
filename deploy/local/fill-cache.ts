import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '@parlance/process-lock';
import type { LineSink } from './lines.ts';

const POLL_MS = 300;
const SAY_EVERY_MS = 10_000;
const WORKSHOP = 'work-';

/**
 * Runs `make` in a new folder inside the cache `folder`, under a lock between processes. Removes
 * leftovers of killed processes first. `make` must check whether another process has done the work
 * already.
 */
export async function fillCache<T>(options: {
  folder: string;
  log: LineSink;
  make: (workshop: string) => Promise<T>;
}): Promise<T> {
  const { folder, log, make } = options;
  await mkdir(folder, { recursive: true });
  const lock = await waitForLock(join(folder, 'lock'), log);
  try {
    for (const name of await readdir(folder)) {
      if (name.startsWith(WORKSHOP)) await rm(join(folder, name), { recursive: true, force: true });
    }
    const workshop = await mkdtemp(join(folder, WORKSHOP));
    try {
      return await make(workshop);
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
}

async function waitForLock(path: string, log: LineSink) {
  let sayAt = 0;
  for (;;) {
    const lock = await tryLock(path);
    if (lock) return lock;
    if (Date.now() >= sayAt) {
      log('another process is fetching the same, waiting for it …');
      sayAt = Date.now() + SAY_EVERY_MS;
    }
    await sleep(POLL_MS);
  }
}
