import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../src/lock.ts';
import { writeProcessNote } from '../src/process-note.ts';

function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'process-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('a lock file', () => {
  test('a lock file is held by one holder at a time, and can be taken again after its release', async () => {
    const path = join(testFolder(), 'deep', 'lock');
    const first = await tryLock(path);
    expect(first).toBeDefined();
    expect(await tryLock(path)).toBeUndefined();
    await first?.release();
    expect(await tryLock(path)).toBeDefined();
  });

  test('a lock file is given to exactly one of many concurrent callers', async () => {
    const folder = testFolder();
    const path = join(folder, 'lock');
    const locks = await Promise.all(Array.from({ length: 8 }, () => tryLock(path)));
    expect(locks.filter(Boolean)).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('a lock file of a dead process is taken over by at most one of many concurrent callers', async () => {
    const folder = testFolder();
    const paths = Array.from({ length: 60 }, (_, at) => join(folder, `lock${at}`));
    for (const [at, path] of paths.entries()) {
      writeFileSync(path, at % 2 === 0 ? '999999 1' : '');
      const locks = await Promise.all(Array.from({ length: 8 }, () => tryLock(path)));
      expect(locks.filter(Boolean).length, path).toBeLessThanOrEqual(1);
      expect((await tryLock(path)) ?? locks.find(Boolean)).toBeDefined();
    }
    expect(readdirSync(folder).filter((name) => name.includes('.'))).toEqual([]);
  });

  test('a lock file is taken over at once from a process that was killed', async () => {
    const path = join(testFolder(), 'lock');
    const holder = spawn('sleep', ['60']);
    const ended = once(holder, 'exit');
    await writeProcessNote(path, { pid: holder.pid ?? 0 });
    expect(await tryLock(path)).toBeUndefined();
    holder.kill('SIGKILL');
    await ended;
    expect(await tryLock(path)).toBeDefined();
  });

  test('a lock file is free if another process has the id of its dead holder', async () => {
    const path = join(testFolder(), 'lock');
    writeFileSync(path, `${process.pid} 12345`);
    const lock = await tryLock(path);
    expect(lock).toBeDefined();
    await lock?.release();
    expect(existsSync(path)).toBe(false);
  });
});
