import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { FOLDER, GO_RUNTIME, emptyFolder, goTool, npmTool, pythonTool, run } from './toolbox.ts';

const DESCRIPTION = join(FOLDER, 'openapi.json');

const STRICT = {
  ...{ strict: true, noUncheckedIndexedAccess: true, noImplicitReturns: true, skipLibCheck: false },
  ...{ target: 'ES2022', module: 'NodeNext', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'] },
  outDir: 'built',
};

/**
 * Faults of openapi-python-client itself: a parameter called `params` takes the name of a variable
 * of its own, and an import is missing where a body has several types and no other parameter.
 */
const FAULTS_OF_THE_PYTHON_GENERATOR = ['services/list_services', 'eventtypes/preview_event_type'];

let product: Product;

beforeAll(async () => {
  product = await sharedApi('generated_clients');
  const description = await fetch(`${product.origin}/openapi.json`);
  await writeFile(DESCRIPTION, await description.text());
});
afterAll(() => product.close());

/** A folder with the program that is to use what is generated into it. */
async function workplaceOf(program: string): Promise<string> {
  const folder = await emptyFolder(program);
  await cp(resolve('test/generators/programs', program), folder, { recursive: true });
  return folder;
}

async function runTypeScript(folder: string): Promise<string> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT }));
  await run(npmTool('tsc'), ['-p', folder]);
  return run(process.execPath, ['built/main.js', product.origin, product.token], { cwd: folder });
}

const CLIENTS: Record<string, () => Promise<string>> = {
  async '@hey-api/openapi-ts (TypeScript)'() {
    const cwd = await workplaceOf('hey-api');
    const to = ['-i', DESCRIPTION, '-o', join(cwd, 'generated')];
    await run(npmTool('openapi-ts'), to, { cwd });
    return runTypeScript(cwd);
  },

  async 'openapi-typescript with openapi-fetch (TypeScript)'() {
    const cwd = await workplaceOf('openapi-fetch');
    await run(npmTool('openapi-typescript'), [DESCRIPTION, '-o', join(cwd, 'generated/schema.ts')]);
    return runTypeScript(cwd);
  },

  async 'openapi-python-client (Python)'() {
    const cwd = await workplaceOf('python');
    const to = ['--path', DESCRIPTION, '--output-path', 'generated', '--meta', 'none'];
    await run(pythonTool('openapi-python-client'), ['generate', ...to], { cwd });
    const known = FAULTS_OF_THE_PYTHON_GENERATOR.map((path) => `generated/api/${path}.py`);
    const strictly = ['--strict', '--exclude', known.join('|')];
    await run(pythonTool('mypy'), [...strictly, 'main.py', 'generated'], { cwd });
    return run(pythonTool('python'), ['-W', 'error', 'main.py', product.origin, product.token], { cwd });
  },

  async 'oapi-codegen (Go)'() {
    const cwd = await workplaceOf('go');
    const client = await emptyFolder('go/client');
    const to = ['-generate', 'types,client', '-package', 'client', '-o', join(client, 'client.go')];
    await run(goTool, [...to, DESCRIPTION], { cwd });
    await run('go', ['mod', 'init', 'example.com/generated'], { cwd });
    await run('go', ['get', GO_RUNTIME], { cwd });
    await run('go', ['mod', 'tidy'], { cwd });
    await run('go', ['vet', './...'], { cwd });
    return run('go', ['run', '.', product.origin, product.token], { cwd });
  },
};

describe('a client', () => {
  test.each(Object.keys(CLIENTS))('that %s generates compiles strictly and makes requests', async (name) => {
    const did = JSON.parse((await CLIENTS[name]!()).trim().split('\n').at(-1) ?? '') as Record<
      string,
      string
    >;
    const { admin, organization } = product;
    const made = (await admin.get(`/messages/${did['message']}`)).body;
    expect(made).toMatchObject({ conversation: did['conversation'], text: 'Did that help?' });
    expect(made.actions).toEqual([{ type: 'reply', text: 'Yes', payload: 'yes' }]);
    expect((await admin.get(`/users/${did['bot']}`)).body).toMatchObject({ role: 'bot', organization });
    expect((await admin.get(`/organizations/${did['organization']}`)).status).toBe(200);
    expect(did).toMatchObject({ texts: ['Did that help?'], refusal: 'invalid_request' });
  });
});
