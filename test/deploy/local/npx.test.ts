import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/fetched.ts';
import { choosePorts } from '../../support/launcher.ts';
import { startProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Checks that the processes log text, that each step has a line, and that nothing follows the
 * banner but the lines of requests.
 */
function expectQuietStart(output: string): void {
  const [steps = '', banner = ''] = output.split(/^Parlance is ready.*$/m);
  expect(steps).not.toContain('{"');
  for (const name of ['store', 'temporal', 'worker', 'api'])
    expect(steps).toMatch(new RegExp(`^parlance ${name} is ready after [\\d.]+ s$`, 'm'));
  const rows = banner.split('\n').filter((line) => !/^api .* info {2}GET /.test(line));
  for (const row of rows) expect(row).toMatch(/^($| {2}\S)/);
  expect(banner).toMatch(/^ {2}Begin here +http:/m);
  expect(banner).toMatch(/^ {2}Password +[a-z2-9]{20} /m);
}

/** Signs in with the installed program `parlance`, and makes a request with the stored session. */
async function expectSignIn(cwd: string, url: string): Promise<void> {
  const program = join(cwd, 'node_modules/.bin/parlance');
  const password = (await readFile(join(cwd, 'data/admin-password'), 'utf8')).trim();
  const env = { XDG_CONFIG_HOME: cwd, PARLANCE_PASSWORD: password };
  await run(program, ['login', '--url', url, '--email', 'admin@parlance.local'], { cwd, env });
  const printed = await run(program, ['channels', '--json'], { cwd, env });
  expect(printed).toBe('');
}

/** Packs the packages as npm would publish them and installs them in an empty folder. */
describe('the packed packages', () => {
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

  test('the program parlance-server of the packed packages runs the product in the current folder, and the program parlance signs in', async () => {
    const ports = await choosePorts();
    // The package's only program, which npx runs.
    const program = join(folder.path, 'node_modules/.bin/parlance-server');
    const env = { ...process.env, ...ports, LOG_FORMAT: 'text' };
    const product = startProgram(program, { args: [], cwd: folder.path, env });
    await eventually(() => product.output().includes('Parlance is ready')).catch((error: unknown) => {
      product.signal('SIGTERM');
      throw new Error(product.output(), { cause: error });
    });
    const page = await fetch(`http://localhost:${ports.PORT}/console`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(`http://localhost:${ports.PORT}/readyz`)).status).toBe(200);
    expect(await readdir(folder.path)).toContain('data');
    expectQuietStart(product.output());
    await expectSignIn(folder.path, `http://localhost:${ports.PORT}`);
    product.signal('SIGTERM');
    expect(await product.ended).toBe(0);
  });
});
