import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/fetched.ts';
import { choosePorts } from '../../support/launcher.ts';
import { startProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Packs the packages as npm would publish them and installs them in an empty folder. */
describe('npx parlance', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const packed = join(folder.path, 'packed');
    await mkdir(packed);
    const everything = ['--workspaces', '--include-workspace-root', '--ignore-scripts'];
    await run('npm', ['pack', ...everything, '--pack-destination', packed], { cwd: '.' });
    const packages = (await readdir(packed)).map((name) => join(packed, name));
    await writeFile(join(folder.path, 'package.json'), '{}');
    const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...quick, ...packages], { cwd: folder.path });
  }, 300_000);
  afterAll(() => folder.remove());

  test('npx parlance runs the product in the current folder', async () => {
    const ports = await choosePorts();
    // The package's only program, which npx runs.
    const program = join(folder.path, 'node_modules/.bin/parlance-server');
    const product = startProgram(program, { args: [], cwd: folder.path, env: { ...process.env, ...ports } });
    await eventually(() => product.output().includes('Parlance is ready')).catch((error: unknown) => {
      product.signal('SIGTERM');
      throw new Error(product.output(), { cause: error });
    });
    const page = await fetch(`http://localhost:${ports.PORT}/console`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(`http://localhost:${ports.PORT}/readyz`)).status).toBe(200);
    expect(await readdir(folder.path)).toContain('data');
    product.signal('SIGTERM');
    expect(await product.ended).toBe(0);
  });
});
