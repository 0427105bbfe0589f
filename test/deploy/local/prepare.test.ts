import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put, putScript, testFolder } from './support/folder.ts';
import { run } from './support/process.ts';

const LOCKED = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '2.0.0', dev: true },
};

/** The steps of a complete build that are logged in the file `ran`. */
const ALL = ['tsc', 'bundle', 'pages'];

/**
 * Creates a small repository with the real prepare.mjs. Its fake npm copies the lock file and a
 * fake compiler. That compiler copies a.ts to dist/config/a.js and creates a fake bundler. Each of
 * these programs logs its runs in the file `ran`.
 */
function repository(): string {
  const root = testFolder();
  mkdirSync(join(root, 'deploy/local'), { recursive: true });
  cpSync('deploy/local/prepare.mjs', join(root, 'deploy/local/prepare.mjs'));
  cpSync('deploy/local/prepare', join(root, 'deploy/local/prepare'), { recursive: true });
  put(join(root, 'package.json'), JSON.stringify({ type: 'module', engines: { node: '^20.19 || >=22' } }));
  put(join(root, 'package-lock.json'), JSON.stringify({ packages: LOCKED }));
  put(join(root, 'tsconfig.json'), '{}');
  put(
    join(root, 'tsconfig.build.json'),
    JSON.stringify({ include: ['config', 'worker', 'workflows', 'web'], exclude: ['web/page'] }),
  );
  put(join(root, 'config/a.ts'), 'one');
  put(join(root, 'worker/bundle.ts'), "import fs from 'node:fs'; fs.appendFileSync('ran', 'bundle\\n');");
  put(join(root, 'web/build.mjs'), "import fs from 'node:fs'; fs.appendFileSync('ran', 'pages\\n');");
  // The bundler of expressions and the renderer of the guides do nothing here.
  put(join(root, 'application/expressions/build.mjs'), '');
  put(join(root, 'web/guides.mjs'), '');
  putScript(
    join(root, 'bin/npm'),
    `echo "npm $*" >> ran
     mkdir -p node_modules/typescript/bin
     cp compiler.cjs node_modules/typescript/bin/tsc
     cp package-lock.json node_modules/.package-lock.json`,
  );
  put(
    join(root, 'compiler.cjs'),
    `const fs = require('node:fs');
     const project = process.argv[3];
     fs.appendFileSync('ran', project.startsWith('packages') ? \`tsc \${project}\\n\` : 'tsc\\n');
     if (project.startsWith('packages')) return fs.cpSync('packages/a/src', 'packages/a/dist', { recursive: true });
     if (fs.readFileSync('config/a.ts', 'utf8') === 'wrong') process.exit(2);
     fs.mkdirSync('dist/config', { recursive: true });
     fs.writeFileSync('checked', String(!process.argv.includes('--noCheck')));
     fs.writeFileSync('dist/.tsbuildinfo', '');
     fs.copyFileSync('config/a.ts', 'dist/config/a.js');
     fs.mkdirSync('dist/worker', { recursive: true });
     fs.copyFileSync('worker/bundle.ts', 'dist/worker/bundle.js');`,
  );
  return root;
}

async function prepare(root: string, options: { args?: string[]; env?: NodeJS.ProcessEnv } = {}) {
  rmSync(join(root, 'ran'), { force: true });
  const prepared = startPrepare(root, options);
  const code = await prepared.ended;
  return { code, output: prepared.output(), ran: ranIn(root) };
}

function startPrepare(root: string, options: { args?: string[]; env?: NodeJS.ProcessEnv } = {}) {
  const env = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`, ...options.env };
  return run(process.execPath, {
    args: ['deploy/local/prepare.mjs', ...(options.args ?? [])],
    cwd: root,
    env,
  });
}

function ranIn(root: string): string[] {
  const path = join(root, 'ran');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

describe('preparing a clone', () => {
  test('preparing a fresh clone installs packages, including development packages, builds, and prints each step', async () => {
    const root = repository();
    const { code, output, ran } = await prepare(root);
    expect(code, output).toBe(0);
    expect(ran).toEqual(['npm ci --ignore-scripts --loglevel=error --include=dev', ...ALL]);
    expect(output).toMatch(/installing packages \(npm ci\): done in [\d.]+ s\n/);
    expect(output).toMatch(/compiling: done in [\d.]+ s\n/);
    expect(output).toMatch(/built 5 of 5 parts in [\d.]+ s\n$/);
  });

  test.skipIf(!existsSync('/usr/bin/script') || process.platform !== 'linux')(
    'preparing a clone in a terminal counts the seconds of each step in one line',
    () => {
      const root = repository();
      const command = `${process.execPath} deploy/local/prepare.mjs`;
      const env = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}` };
      const output = execFileSync('script', ['-qefc', command, '/dev/null'], { cwd: root, env }).toString();
      const line = (name: string) =>
        `prepare: ${name} … 0 s\r\u001b[K(prepare: ${name} … \\d+ s\r\u001b[K)*prepare: ${name}: done in [\\d.]+ s\r\n`;
      const step = (name: string) =>
        new RegExp(line(name.replaceAll(/[()]/g, '\\$&')).replaceAll('[K', '\\[K'));
      expect(output).toMatch(step('installing packages (npm ci)'));
      expect(output).toMatch(step('compiling'));
    },
  );

  test('preparing a clone prints all output of a step that fails, and of other steps only the warnings', async () => {
    const root = repository();
    put(join(root, 'web/build.mjs'), "console.log('chatter'); console.error('a warning');");
    const { output } = await prepare(root);
    expect(output).toContain('a warning\nprepare: bundling the pages: done');
    expect(output).not.toContain('chatter');
    put(join(root, 'web/build.mjs'), "console.log('chatter'); process.exit(1);");
    const failed = await prepare(root);
    expect(failed.output).toMatch(/^chatter\nprepare: bundling the pages failed/m);
  });

  test('preparing a clone does nothing and prints nothing the second time', async () => {
    const root = repository();
    await prepare(root);
    expect(await prepare(root)).toEqual({ code: 0, output: '', ran: [] });
  });

  test('preparing a clone builds again when a source changes, and installs again when the lock file changes', async () => {
    const root = repository();
    await prepare(root);
    put(join(root, 'config/a.ts'), 'two');
    expect((await prepare(root)).ran).toEqual(['tsc']);
    expect(readFileSync(join(root, 'dist/config/a.js'), 'utf8')).toBe('two');
    const packages = { ...LOCKED, 'node_modules/a': { version: '1.0.1' } };
    put(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    expect((await prepare(root)).ran).toEqual([
      'npm ci --ignore-scripts --loglevel=error --include=dev',
      ...ALL,
    ]);
  });

  test('preparing a clone checks types in every build except the first', async () => {
    const root = repository();
    const checksTypes = () => readFileSync(join(root, 'checked'), 'utf8') === 'true';
    await prepare(root);
    expect(checksTypes()).toBe(false);
    put(join(root, 'config/a.ts'), 'two');
    await prepare(root);
    expect(checksTypes()).toBe(true);
    await prepare(root, { args: ['--force'] });
    expect(checksTypes()).toBe(true);
  });

  test('preparing a clone builds only the parts that depend on the changed source', async () => {
    const root = repository();
    await prepare(root);
    put(join(root, 'workflows/a.ts'), 'new');
    expect((await prepare(root)).ran).toEqual(['tsc', 'bundle']);
    put(join(root, 'web/page/a.tsx'), 'new');
    const { ran, output } = await prepare(root);
    expect(ran).toEqual(['pages']);
    expect(output).toMatch(/built 2 of 5 parts in [\d.]+ s\n$/);
    expect((await prepare(root)).ran).toEqual([]);
  });

  test('preparing a clone builds a part again after a failed build, even if the sources are unchanged', async () => {
    const root = repository();
    await prepare(root);
    put(join(root, 'config/a.ts'), 'wrong');
    expect((await prepare(root)).code).toBe(1);
    expect(readFileSync(join(root, 'dist/config/a.js'), 'utf8')).toBe('one');
    put(join(root, 'config/a.ts'), 'one');
    expect((await prepare(root)).ran).toEqual(['tsc']);
  });

  test('preparing a clone builds a workspace package before the product, and again only if the package has changed or its output is missing', async () => {
    const root = repository();
    const references = [{ path: 'packages/a/tsconfig.build.json' }];
    put(join(root, 'tsconfig.build.json'), JSON.stringify({ include: ['config', 'worker'], references }));
    put(join(root, 'packages/a/package.json'), '{}');
    put(join(root, 'packages/a/src/main.js'), 'one');
    put(join(root, 'packages/a/src/main.ts'), 'one');
    const all = ['tsc packages/a/tsconfig.build.json', ...ALL];
    expect((await prepare(root)).ran.slice(1)).toEqual(all);
    expect((await prepare(root)).ran).toEqual([]);
    put(join(root, 'config/a.ts'), 'two');
    expect((await prepare(root)).ran).toEqual(['tsc']);
    put(join(root, 'packages/a/src/main.ts'), 'two');
    expect((await prepare(root)).ran).toEqual(all);
    rmSync(join(root, 'packages/a/dist'), { recursive: true });
    expect((await prepare(root)).ran).toEqual(all.slice(0, 1));
    put(join(root, 'packages/a/dist/gone.js'), '');
    expect((await prepare(root, { args: ['--force'] })).ran).toEqual(all);
    expect(existsSync(join(root, 'packages/a/dist/gone.js'))).toBe(false);
  });

  test('preparing a clone installs packages again when a workspace package is not linked', async () => {
    const root = repository();
    await prepare(root);
    const packages = { ...LOCKED, 'node_modules/@p/a': { resolved: 'packages/a', link: true } };
    for (const path of ['package-lock.json', 'node_modules/.package-lock.json'])
      put(join(root, path), JSON.stringify({ packages }));
    expect((await prepare(root)).ran[0]).toBe('npm ci --ignore-scripts --loglevel=error --include=dev');
  });

  test('preparing a clone keeps the bundled pages when only sources of other parts have changed', async () => {
    const root = repository();
    await prepare(root);
    put(join(root, 'dist/web/assets/chat-1.js'), 'bundled');
    put(join(root, 'config/a.ts'), 'two');
    expect((await prepare(root)).ran).toEqual(['tsc']);
    expect(existsSync(join(root, 'dist/web/assets/chat-1.js'))).toBe(true);
  });

  test('preparing a clone removes output files whose source no longer exists', async () => {
    const root = repository();
    await prepare(root);
    put(join(root, 'dist/config/gone.js'), '');
    put(join(root, 'dist/config/gone.js.map'), '');
    put(join(root, 'config/b.ts'), '');
    await prepare(root);
    expect(existsSync(join(root, 'dist/config/gone.js'))).toBe(false);
    expect(existsSync(join(root, 'dist/config/gone.js.map'))).toBe(false);
    expect(existsSync(join(root, 'dist/config/a.js'))).toBe(true);
  });

  test('preparing a clone with --force builds everything and removes other output', async () => {
    const root = repository();
    await prepare(root);
    put(join(root, 'dist/anything'), '');
    expect((await prepare(root, { args: ['--force'] })).ran).toEqual(ALL);
    expect(existsSync(join(root, 'dist/anything'))).toBe(false);
  });

  test('preparing a clone exits with 1 when the build fails, and builds again the next time', async () => {
    const root = repository();
    put(join(root, 'config/a.ts'), 'wrong');
    const { code, output } = await prepare(root);
    expect(code).toBe(1);
    expect(output).toMatch(/prepare: compiling failed after [\d.]+ s: .* ended with code 2\n$/);
    expect((await prepare(root)).ran).toEqual(['tsc']);
  });

  test('preparing a built clone installs missing development packages only before scripts that need them, such as npm test', async () => {
    const root = repository();
    await prepare(root);
    const { 'node_modules/b': _, ...production } = LOCKED;
    put(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: production }));
    expect((await prepare(root)).ran).toEqual([]);
    expect((await prepare(root, { env: { npm_lifecycle_event: 'pretest' } })).ran).toEqual([
      'npm ci --ignore-scripts --loglevel=error --include=dev',
    ]);
  });

  test('preparing a clone does nothing in an image without sources', async () => {
    const root = repository();
    rmSync(join(root, 'tsconfig.build.json'));
    expect(await prepare(root)).toEqual({ code: 0, output: '', ran: [] });
  });

  test('preparing a clone does the work once when two processes prepare at the same time', async () => {
    const root = repository();
    const both = [startPrepare(root), startPrepare(root)];
    expect(await Promise.all(both.map((one) => one.ended))).toEqual([0, 0]);
    expect(ranIn(root)).toEqual(['npm ci --ignore-scripts --loglevel=error --include=dev', ...ALL]);
  });

  test('preparing a clone takes over the lock of a killed process', async () => {
    const root = repository();
    put(join(root, 'dist/.lock'), '');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(join(root, 'dist/.lock'), longAgo, longAgo);
    expect((await prepare(root)).code).toBe(0);
  });

  test('preparing a clone prints the required Node version when Node is too old', async () => {
    const root = repository();
    const engines = { node: '^99.3 || >=100' };
    put(join(root, 'package.json'), JSON.stringify({ type: 'module', engines }));
    const { code, output } = await prepare(root);
    expect(code).toBe(1);
    expect(output).toBe(
      `prepare: this is Node ${process.versions.node}, but Parlance needs Node ^99.3 || >=100. Install one of these and try again.\n`,
    );
  });

  test('preparing a clone on Windows fails with one line that names WSL 2 and Docker', async () => {
    const windows = "data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})";
    const { code, output, ran } = await prepare(repository(), {
      env: { NODE_OPTIONS: `--import "${windows}"` },
    });
    expect({ code, ran }).toEqual({ code: 1, ran: [] });
    expect(output).toBe('prepare: Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.\n');
  });
});
