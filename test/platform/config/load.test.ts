import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a process in `folder` that loads the configuration of npm start and prints the port. */
function run(env: Record<string, string>) {
  const program = `
    import { loadConfig } from ${JSON.stringify(resolve('platform/config/load.ts'))};
    import { readStartConfig } from ${JSON.stringify(resolve('platform/config/processes.ts'))};
    console.log(loadConfig(readStartConfig).port);`;
  writeFileSync(join(folder, 'program.mts'), program);
  const tsx = import.meta.resolve('tsx');
  return spawnSync(process.execPath, ['--import', tsx, 'program.mts'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
}

test('environment variables override .env', () => {
  writeFileSync(join(folder, '.env'), 'PORT=4001\n');
  expect(run({}).stdout).toBe('4001\n');
  expect(run({ PORT: '4002' }).stdout).toBe('4002\n');
});

test('a process with an invalid configuration prints all problems without the values and exits with code 1', () => {
  const { status, stderr } = run({ PORT: 'high', AUTH_SECRET: 'tiny' });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'The configuration is not usable:\n  AUTH_SECRET must be at least 32 bytes long\n  PORT must be a whole number from 0 to 65535\n',
  );
});
