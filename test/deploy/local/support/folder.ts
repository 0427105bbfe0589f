import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from '../../../support/eventually.ts';

/** A folder for one test, gone after it. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  // Processes of the test that were just killed may write once more while the folder is removed.
  onTestFinished(async () => {
    await eventually(() => {
      rmSync(folder, { recursive: true, force: true });
      return true;
    });
  });
  return folder;
}

/** Writes a file and the folders above it. */
export function put(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Writes a shell script that can be run. */
export function putScript(path: string, body: string): string {
  put(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}
