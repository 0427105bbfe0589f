import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

/**
 * The package that each patch changes, with the version that the patch was checked with. When the
 * installed version differs, read the patched code of that version, run the tests of this folder,
 * and update the version here and in the patch.
 */
const CHECKED: Record<string, [name: string, version: string]> = {
  'disable-promise-stacks.ts': ['@temporalio/worker', '1.24.0'],
  'disable-vm-timeouts.ts': ['@temporalio/worker', '1.24.0'],
  'driver-drain.ts': ['mongodb', '7.8.0'],
  'empty-sink-calls.ts': ['@temporalio/worker', '1.24.0'],
  'start-patched-threads.ts': ['@temporalio/worker', '1.24.0'],
};

/** The program that applies two of the patches in a workflow thread. */
const PROGRAM = 'workflow-thread.ts';

const require = createRequire(import.meta.url);

function installedVersion(name: string): string {
  // Finds the mongodb package that mongoose uses.
  const resolve = name === 'mongodb' ? createRequire(require.resolve('mongoose')).resolve : require.resolve;
  const { version } = JSON.parse(readFileSync(resolve(`${name}/package.json`), 'utf8')) as {
    version: string;
  };
  return version;
}

test('each patch has a version that it was checked with', () => {
  const patches = readdirSync('platform/patches').filter((file) => file !== PROGRAM);
  expect(patches.sort()).toEqual(Object.keys(CHECKED).sort());
});

test.each(Object.entries(CHECKED))(
  'the patch %s was checked with the installed version',
  (file, [name, version]) => {
    expect(installedVersion(name), `${name} for platform/patches/${file}`).toBe(version);
    expect(readFileSync(`platform/patches/${file}`, 'utf8')).toContain(`Checked with ${name} ${version}`);
  },
);
