import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import { ADMIN, environmentFor, signIn } from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Maximum size of the image's packages and build output, in MB. */
const MAX_MB = 175;

/** Creates a folder with the build output and no packages. */
async function builtFolder(): Promise<string> {
  const { path: root, remove } = await temporaryFolder();
  onTestFinished(remove);
  await cp('dist', join(root, 'dist'), { recursive: true });
  await cp('package.json', join(root, 'package.json'));
  return root;
}

/**
 * Creates a folder with the build output and all installed packages. From the packages of the
 * workspace, includes only the given packages.
 */
async function installedWith(packages: string[]): Promise<string> {
  const root = await builtFolder();
  const modules = join(root, 'node_modules');
  await mkdir(join(modules, '@parlance'), { recursive: true });
  const installed = (await readdir('node_modules')).filter((name) => !/^\.|^@parlance$/.test(name));
  for (const name of [...installed, ...packages.map((one) => join('@parlance', one))]) {
    await symlink(await realpath(join('node_modules', name)), join(modules, name));
  }
  return root;
}

/** Creates the content of the image (Dockerfile): pruned production packages. */
async function image(): Promise<string> {
  const root = await builtFolder();
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>;
  };
  const shipped = Object.entries(packages).flatMap(([path, { dev, devOptional, link }]) => {
    const isOfTheTop = path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0;
    return isOfTheTop && !dev && !devOptional && !link && existsSync(path) ? [path] : [];
  });
  const modules = join(root, 'node_modules');
  await mkdir(modules);
  // Hard links to the installed files. Pruning removes only the links.
  spawnSync('cp', ['-al', '--parents', ...shipped, root]);
  const pruning = (await import(pathToFileURL('deploy/prune-packages.mjs').href)) as {
    prunePackages: (modules: string) => void;
  };
  pruning.prunePackages(modules);
  return root;
}

function environment(database: string, port: number): Record<string, string> {
  const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
  const origin = `http://127.0.0.1:${port}`;
  return { ...environmentFor({ ...servers, database }), PORT: String(port), PUBLIC_URL: origin };
}

/**
 * Runs programs until the test ends, posts a message once the API is ready, and returns the
 * sequence of the message.
 */
async function postsThrough(programs: string[], env: Record<string, string>): Promise<unknown> {
  const running = programs.map((program) => startNode(program, { env }));
  onTestFinished(async () => {
    await Promise.all(running.map((one) => one.stop()));
  });
  const output = () => running.map((one) => one.output()).join('\n');
  await eventually(async () => (await fetch(`${env['PUBLIC_URL']}/readyz`)).ok).catch((error: unknown) => {
    throw new Error(output(), { cause: error });
  });
  const base = `${env['PUBLIC_URL']}/v2`;
  const caller = client(base, (await signIn(base, ADMIN)).token);
  const { body: conversation } = await caller.post('/conversations', {});
  const { body } = await caller.post('/messages', { conversation: conversation.id, text: 'hello' });
  return body.sequence;
}

test('an error about the missing built-in store names the store and the alternative', async () => {
  const program = join(await installedWith(['process-lock']), 'dist/deploy/local/mongodb.js');
  const start = `import { storeProgram } from '${pathToFileURL(program).href}'; storeProgram('.', { port: 1 });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', start], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('the built-in store (packages/store-engine) is not here: name a MONGODB_URI');
});

describe('with an external MongoDB', () => {
  test('API and worker run with only the packages of the image and an external MongoDB', async () => {
    const root = await image();
    const sizeMb = Number(spawnSync('du', ['-sm', root], { encoding: 'utf8' }).stdout.split('\t')[0]);
    expect(sizeMb).toBeLessThan(MAX_MB);
    const programs = ['dist/worker/main.js', 'dist/api/main.js'].map((path) => join(root, path));
    expect(await postsThrough(programs, environment('without_packages', await freePort()))).toBe(1);
  });

  test('`npm start` runs without the built-in store if MongoDB is external', async () => {
    const root = await installedWith(['process-lock']);
    const env = environment('without_store', await freePort());
    const data = { DATA_DIR: join(root, 'data') };
    expect(await postsThrough([join(root, 'dist/deploy/local/start.js')], { ...env, ...data })).toBe(1);
  });
});
