import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childrenOf } from '../cpu-time.ts';

const CGROUPS = '/sys/fs/cgroup';
/**
 * A process that has used up its share waits for the end of a period: short ones, so that it waits
 * for milliseconds.
 */
const PERIOD_US = 20_000;

/**
 * Processes, each of which gets so much of a core at most, together with those that it starts, and
 * gets that before others get anything: it is the bound that is measured, and not the neighbours.
 */
export interface CpuShares {
  /** Bounds a process from now on; `cores` may be a part of one. */
  hold: (pid: number, cores: number) => Promise<void>;
  /** Lets all of them have what they can get. */
  release: () => Promise<void>;
}

/**
 * Shares by Linux' control groups of either version. `hold` rejects where they cannot be written,
 * which takes root.
 */
export function createCpuShares(root = CGROUPS): CpuShares {
  const groups = new Map<number, string>();
  return {
    async hold(pid, cores) {
      const parent = await controllerOf(root);
      const group = join(parent.folder, `parlance-bench-${process.pid}-${pid}`);
      await mkdir(group, { recursive: true });
      groups.set(pid, group);
      for (const [file, text] of parent.limit(Math.round(cores * PERIOD_US)))
        await writeFile(join(group, file), text);
      for (const one of [pid, ...(await childrenOf(pid))]) await moveTo(group, one);
    },
    async release() {
      const { folder } = await controllerOf(root);
      for (const group of groups.values()) {
        const held = await readFile(join(group, 'cgroup.procs'), 'utf8');
        for (const pid of held.split('\n').filter(Boolean)) await moveTo(folder, Number(pid));
        await rmdir(group);
      }
      groups.clear();
    },
  };
}

interface Controller {
  folder: string;
  /** What to write to which file of a group. */
  limit: (quotaUs: number) => [file: string, text: string][];
}

async function controllerOf(root: string): Promise<Controller> {
  const controllers = await readFile(join(root, 'cgroup.controllers'), 'utf8').catch(() => null);
  if (controllers?.split(/\s/).includes('cpu')) {
    await writeFile(join(root, 'cgroup.subtree_control'), '+cpu');
    return {
      folder: root,
      limit: (quotaUs) => [
        ['cpu.max', `${quotaUs} ${PERIOD_US}`],
        ['cpu.weight', '10000'],
      ],
    };
  }
  return {
    folder: join(root, 'cpu'),
    limit: (quotaUs) => [
      ['cpu.cfs_period_us', String(PERIOD_US)],
      ['cpu.cfs_quota_us', String(quotaUs)],
      ['cpu.shares', '262144'],
    ],
  };
}

/** One that has ended meanwhile is where it is to be. */
async function moveTo(group: string, pid: number): Promise<void> {
  await writeFile(join(group, 'cgroup.procs'), String(pid)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  });
}
