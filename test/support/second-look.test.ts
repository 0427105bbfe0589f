import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** In the repository, so that the files find `vitest`. */
const FOLDER = join(process.cwd(), 'build-output', `suite-${process.pid}`);

const PASSING = `import { test } from 'vitest'; test('passes', () => {});`;
const FAILING = `import { test } from 'vitest'; test('fails', () => { throw new Error('broken'); });`;
const UNLOADABLE = `import { test } from 'vitest'; throw new Error('broken'); test('never runs', () => {});`;

/** Runs `code` only in the first run of the file. */
const once = (code: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  import { test } from 'vitest';
  const mark = import.meta.filename + '.ran';
  const isFirst = !existsSync(mark);
  writeFileSync(mark, '');
  test('first', () => {});
  test('second', async () => { if (isFirst) { ${code} } });
`;

beforeEach(async () => {
  await mkdir(FOLDER, { recursive: true });
  const project = (name: string, include: string) => ({
    test: { name, root: FOLDER, include: [include], pool: 'forks', isolate: false, maxWorkers: 2 },
  });
  const projects = [
    project('durability', '*.test.ts'),
    project('attack', 'attack/*.ts'),
    project('chaos', 'chaos/*.ts'),
  ];
  await writeFile(
    join(FOLDER, 'vitest.config.mjs'),
    `export default ${JSON.stringify({ test: { projects } })};`,
  );
});

afterEach(() => rm(FOLDER, { recursive: true }));

/** Runs the files by test/suite.mjs. Returns its code, its last line and what it lists. */
async function runSuite(files: Record<string, string>) {
  for (const [name, code] of Object.entries(files)) await writeFile(join(FOLDER, `${name}.test.ts`), code);
  const args = ['test/suite.mjs', '--resilience', '--config', join(FOLDER, 'vitest.config.mjs')];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const { code, stdout } = await promisify(execFile)(process.execPath, args, { env }).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => error as { code: number; stdout: string },
  );
  const lines = stdout.trim().split('\n');
  const listed = lines.filter((line) => /^(second look|failed again): .* › /.test(line));
  return {
    code,
    last: lines.at(-1),
    listed: listed.map((line) => line.replace(/build-output\/suite-\d+\//, '')),
    output: stdout,
  };
}

test('a test file that fails once passes, and is listed with its first error', async () => {
  const run = await runSuite({
    calm: PASSING,
    once: once(`throw new Error('by chance\\nwith details');`),
  });
  expect(run).toMatchObject({ code: 0, last: '3 passed, 0 failed' });
  expect(run.listed).toEqual(['second look: once.test.ts › second: by chance']);
  expect(run.output).toMatch(
    /^machine: load [\d.]+, CPU pressure (unknown|[\d.]+ %), longest pause [\d.]+ s \(.*once\.test\.ts\)$/m,
  );
});

test('a test file that fails twice fails, and both errors are listed', async () => {
  const run = await runSuite({ calm: PASSING, broken: FAILING, unloadable: UNLOADABLE });
  expect(run).toMatchObject({ code: 1, last: '1 passed, 2 failed' });
  expect(run.listed.toSorted()).toEqual([
    'failed again: broken.test.ts › fails: broken',
    'failed again: unloadable.test.ts › (file): broken',
    'second look: broken.test.ts › fails: broken',
    'second look: unloadable.test.ts › (file): broken',
  ]);
});

test('thirteen failed test files fail the run, and none runs again', async () => {
  const files = Array.from({ length: 13 }, (_, at) => [`chance${at}`, once(`throw new Error('by chance');`)]);
  const run = await runSuite(Object.fromEntries(files) as Record<string, string>);
  expect(run).toMatchObject({ code: 1, last: '13 passed, 13 failed', listed: [] });
  expect(run.output).toContain('13 files failed, which is more than chance. None was run again.');
});

test('a test file whose worker dies, or that leaves an uncaught error, gets a second look', async () => {
  const run = await runSuite({
    calm: PASSING,
    killed: once(
      `process.kill(process.pid, 'SIGKILL'); await new Promise(() => setTimeout(() => {}, 60_000));`,
    ),
    uncaught: once(
      `void Promise.reject(new Error('nobody waits')); await new Promise((end) => setTimeout(end, 50));`,
    ),
  });
  expect(run).toMatchObject({ code: 0, last: '5 passed, 0 failed' });
  expect(run.listed.toSorted()).toEqual([
    'second look: killed.test.ts › the test worker ended before the file',
    'second look: uncaught.test.ts › uncaught error: nobody waits',
  ]);
});
