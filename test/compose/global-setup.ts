import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../deploy/local/ports.ts';
import { run } from '../support/fetched.ts';
import { keepLog } from '../support/log.ts';
import { ADMIN, signIn } from '../support/product.ts';
import { serveServerPool } from '../support/server-pool.ts';
import type { SharedAddress } from '../support/server-pool.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { commandsIn, untilReady, warningsOf } from './commands.ts';
import type { Commands } from './commands.ts';

const FILES = ['docker-compose.yml', 'docker-compose.tls.yml', 'docker-compose.monitoring.yml'];
/** The additional compose file for stand-in images (stand-ins.sh). */
const STAND_INS = process.env['STAND_INS'] === 'yes' ? ['test/compose/stand-ins.yml'] : [];

/**
 * Starts docker-compose.yml from a copy of this project with separate data, and removes everything
 * at the end. The environment variables of compose select the cluster, so that commands of the
 * guides work unchanged.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await temporaryFolder('parlance-compose-');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await copyProject(folder.path);
  if (STAND_INS.length > 0) await removeDigests(folder.path);
  await writeFile(join(folder.path, '.env'), await settings(port));
  process.env['COMPOSE_PROJECT_NAME'] = `parlance-test-${port}`;
  process.env['COMPOSE_FILE'] = ['docker-compose.yml', ...STAND_INS].join(':');
  process.env['PARLANCE_TEST_COMPOSE'] = folder.path;
  process.env['PARLANCE_TEST_ORIGIN'] = origin;
  process.env['PARLANCE_TEST_RECEIVER_HOST'] = await gateway();
  const commands = commandsIn(folder.path);
  const desk = await serveServerPool(async (path) => (path === '/shared/join' ? addressOf(origin) : {}));
  project.provide('serverPool', desk.address);
  const end = async () => {
    desk.close();
    await takeDown(commands);
    await folder.remove();
  };
  try {
    // The command of docs/deployment.md, "On one host".
    await commands.compose('up', '--build', '--detach');
    await untilReady(origin);
    process.env['PARLANCE_TEST_WARNINGS'] = JSON.stringify(await warningsOf(commands));
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** Copies tracked and untracked files, with uncommitted changes, but no ignored files. */
async function copyProject(folder: string): Promise<void> {
  const files = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: '.' });
  // git also lists tracked files that are deleted from the working tree, if the deletion is not
  // staged. Such files cannot be copied.
  for (const file of files.split('\0').filter(Boolean))
    await cp(file, join(folder, file)).catch(() => undefined);
}

/** Stand-ins have the tags of the images, but not their digests (deploy/pin-images.mjs). */
async function removeDigests(folder: string): Promise<void> {
  for (const name of ['Dockerfile', ...FILES]) {
    const file = join(folder, name);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/@sha256:[0-9a-f]{64}/g, ''));
  }
}

async function settings(port: number): Promise<string> {
  const [ui, prometheus, grafana] = await Promise.all([freePort(), freePort(), freePort()]);
  const values = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: port,
    TEMPORAL_UI_PORT: ui,
    PROMETHEUS_PORT: prometheus,
    GRAFANA_PORT: grafana,
    GRAFANA_PASSWORD: ADMIN.password.replaceAll(' ', '-'),
    SITE: 'localhost',
    AUTH_SECRET: 'a secret of more than thirty-two bytes',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    MONGODB_PASSWORD: 'parlance',
    POSTGRES_PASSWORD: 'temporal',
    RATE_LIMIT_PER_ADDRESS: 1_000,
    RATE_LIMIT_PER_KEY: 1_000,
    WEBHOOK_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5,5,5,5',
    // A container reaches this machine at the gateway of its network.
    WEBHOOK_ALLOWED_NETWORKS: '172.16.0.0/12,192.168.0.0/16,10.0.0.0/8',
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Returns an address of this machine that containers of any network can reach. */
async function gateway(): Promise<string> {
  const format = '{{(index .IPAM.Config 0).Gateway}}';
  return (await run('docker', ['network', 'inspect', 'bridge', '--format', format], { cwd: '.' })).trim();
}

/** Returns the address for test files that share the product (test/support/shared-servers.ts). */
async function addressOf(origin: string): Promise<SharedAddress> {
  const base = `${origin}/v2`;
  return { base, origin, token: (await signIn(base, ADMIN)).token, environment: {} };
}

/** Removes containers, networks and volumes. Throws if one is left. */
async function takeDown({ compose, docker }: Commands): Promise<void> {
  await keepLog('compose', await compose('logs', '--no-color', '--timestamps').catch(String));
  process.env['COMPOSE_FILE'] = [...FILES, ...STAND_INS].join(':');
  await compose('--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '5');
  const ours = ['--filter', `label=com.docker.compose.project=${process.env['COMPOSE_PROJECT_NAME']}`];
  const left = await Promise.all([
    docker('ps', '--all', '--quiet', ...ours),
    docker('network', 'ls', '--quiet', ...ours),
    docker('volume', 'ls', '--quiet', ...ours),
  ]);
  if (left.join('') !== '') throw new Error(`still there after down: ${left.join('')}`);
}
