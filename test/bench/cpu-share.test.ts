import { spawn } from 'node:child_process';
import { access, constants, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cpuMsOf } from './cpu-time.ts';
import { createCpuShares } from './growth/cpu-share.ts';
import { eventually } from '../support/eventually.ts';

const CAN_BOUND = await access('/sys/fs/cgroup/cpu/cgroup.procs', constants.W_OK).then(
  () => process.platform === 'linux',
  () => false,
);

test.runIf(CAN_BOUND)(
  'a process that is limited to a tenth of a core stays within the limit until it is released',
  async () => {
    const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    const pid = busy.pid ?? 0;
    const shares = createCpuShares();
    const usedWithin = async (ms: number) => {
      const startedAt = performance.now();
      const before = (await cpuMsOf(pid)) ?? Number.NaN;
      await eventually(() => performance.now() - startedAt >= ms);
      const used = ((await cpuMsOf(pid)) ?? Number.NaN) - before;
      // The elapsed time starts before the first reading of the CPU time and ends after the second,
      // so a slow reading can only make the share smaller.
      return used / (performance.now() - startedAt);
    };
    try {
      await shares.hold(pid, 0.1);
      expect(await usedWithin(2_000)).toBeLessThan(0.15);
      await shares.release();
      const before = (await cpuMsOf(pid)) ?? Number.NaN;
      await eventually(async () => ((await cpuMsOf(pid)) ?? 0) - before > 500);
    } finally {
      busy.kill('SIGKILL');
    }
  },
);

test('a CPU limit in control groups version 2 is written as quota and period in one line', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parlance-cgroup-'));
  try {
    await writeFile(join(root, 'cgroup.controllers'), 'cpuset cpu io\n');
    const group = join(root, `parlance-bench-${process.pid}-${process.pid}`);
    await mkdir(group);
    await createCpuShares(root).hold(process.pid, 0.25);
    expect(await readFile(join(group, 'cpu.max'), 'utf8')).toBe('5000 20000');
    expect(await readFile(join(root, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu');
  } finally {
    await rm(root, { recursive: true });
  }
});
