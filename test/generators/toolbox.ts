import { mkdir, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { once, run as runIn } from '../support/fetched.ts';

/**
 * Versions of the downloaded generators and runtimes. Neither the product nor `npm test` uses them.
 */
const NPM = {
  '@hey-api/openapi-ts': '0.99.0',
  '@types/node': '20.19.43',
  bun: '1.4.5',
  deno: '2.9.6',
  express: '5.3.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  standardwebhooks: '1.1.1',
  typescript: '5.9.3',
};
const PYTHON = [
  ...['openapi-python-client==0.29.1', 'mypy==2.4.1', 'ruff==0.17.6'],
  ...['flask==3.1.3', 'standardwebhooks==1.1.0'],
];
const GO = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
export const GO_RUNTIME = 'github.com/oapi-codegen/runtime@v1.8.0';

/** Cache of the generators and their output between runs. */
export const FOLDER = resolve('build-output/generators');

/** Runs a program, by default in `FOLDER`, and returns its output. */
export const run = (
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) => runIn(command, args, { cwd: FOLDER, ...options });

/** Returns the path of an npm package's program. */
export const npmTool = (name: string) => resolve(FOLDER, 'node_modules/.bin', name);

/** Returns the path of a PyPI package's program. */
export const pythonTool = (name: string) => resolve(FOLDER, 'python-tools/bin', name);

export const goTool = resolve(FOLDER, 'go-tools/oapi-codegen');

/** Downloads missing generators and runtimes before the first test. */
export default async function setup(): Promise<void> {
  await Promise.all([fetchFromNpm(), fetchFromPyPi(), fetchFromGo()]);
}

/** Installs the npm packages once. TypeScript programs in subfolders can import them. */
async function fetchFromNpm(): Promise<void> {
  await once(FOLDER, `npm ${JSON.stringify(NPM)}`, async () => {
    const manifest = { private: true, type: 'module', dependencies: NPM };
    await writeFile(resolve(FOLDER, 'package.json'), JSON.stringify(manifest));
    await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--workspaces=false']);
  });
}

/** Creates a Python environment with the PyPI packages once. */
async function fetchFromPyPi(): Promise<void> {
  await once(FOLDER, `python ${PYTHON.join(' ')}`, async () => {
    await run('python3', ['-m', 'venv', 'python-tools']);
    await run(pythonTool('pip'), ['install', '--quiet', ...PYTHON]);
  });
}

/** Builds the Go generator once. */
async function fetchFromGo(): Promise<void> {
  await once(FOLDER, `go ${GO}`, () =>
    run('go', ['install', GO], { env: { GOBIN: resolve(FOLDER, 'go-tools') } }),
  );
}

/** Creates an empty folder for the output of one generator. */
export async function emptyFolder(name: string): Promise<string> {
  const path = resolve(FOLDER, name);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  return path;
}
