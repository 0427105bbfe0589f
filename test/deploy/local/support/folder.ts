import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from '../../../support/eventually.ts';

/** Creates a folder for one test and removes it after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  // Retries, because killed processes may still write while the folder is removed.
  onTestFinished(async () => {
    await eventually(() => {
      rmSync(folder, { recursive: true, force: true });
      return true;
    });
  });
  return folder;
}

export function put(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

export function putScript(path: string, body: string): string {
  put(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}
