import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childrenOf } from '../cpu-time.ts';

const CGROUPS = '/sys/fs/cgroup';
/** A process beyond its quota sleeps until the period ends, so short periods cause short waits. */
const PERIOD_US = 20_000;

/**
 * Limits processes, each with its children, to a share of a core, and gives them priority over
 * other processes, so that other load on the machine does not change what is measured under the
 * limit.
 */
export interface CpuShares {
  /** Limits a process from now on. `cores` may be a fraction. */
  hold: (pid: number, cores: number) => Promise<void>;
  release: () => Promise<void>;
}

/**
 * Uses Linux control groups, version 1 or 2. `hold` rejects without write access, which needs root.
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
  /** Returns the text to write to each file of a group. */
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

/** Moves a process to a control group. Does nothing if the process has exited. */
async function moveTo(group: string, pid: number): Promise<void> {
  await writeFile(join(group, 'cgroup.procs'), String(pid)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  });
}
