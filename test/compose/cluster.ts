import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../embedded/ports.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/fetched.ts';
import { signIn } from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PASSWORD = 'correct horse battery';
/** How compose is called: its plugin, or a program of its own. */
const COMPOSE = process.env['COMPOSE'] ?? 'docker compose';
/** Where the images are stand-ins (stand-ins.sh), what has to be said of them. */
const STAND_INS = process.env['STAND_INS'] === 'yes' ? ['test/compose/stand-ins.yml'] : [];

/** What docker-compose.yml runs, from this project, with data of its own. */
export async function composeCluster() {
  const folder = await temporaryFolder();
  // What git has, with what is not committed yet.
  const files = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: '.' });
  for (const file of files.split('\0').filter(Boolean)) {
    await cp(file, join(folder.path, file)).catch(() => undefined);
  }
  const [port, ui] = await Promise.all([freePort(), freePort()]);
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    PUBLIC_URL: origin,
    PORT: port,
    TEMPORAL_UI_PORT: ui,
    AUTH_SECRET: 'a secret of more than thirty-two bytes',
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    POSTGRES_PASSWORD: 'temporal',
    RATE_LIMIT_PER_SECOND: 1_000,
    // A container reaches this machine at the gateway of its network.
    WEBHOOK_ALLOWED_NETWORKS: '172.16.0.0/12,192.168.0.0/16,10.0.0.0/8',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await writeFile(join(folder.path, '.env'), `${lines.join('\n')}\n`);

  const project = `parlance-test-${port}`;
  const parts = [
    '--project-name',
    project,
    ...['docker-compose.yml', ...STAND_INS].flatMap((file) => ['--file', file]),
  ];
  const words = [...COMPOSE.split(' '), ...parts];
  const compose = (...args: string[]) =>
    run(words[0] ?? '', [...words.slice(1), ...args], { cwd: folder.path });
  return {
    folder: folder.path,
    origin,
    compose,
    docker: (...args: string[]) => run('docker', args, { cwd: folder.path }),
    /** Runs a script of the project with this cluster's compose. */
    script: (path: string) => run('sh', [path], { cwd: folder.path, env: { COMPOSE: words.join(' ') } }),
    containers: async (service: string) =>
      (await compose('ps', '--all', '--quiet', service)).split('\n').filter(Boolean),
    /** Resolves when requests are answered again; with the token of the first admin. */
    async ready(): Promise<string> {
      await eventually(
        async () => (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok,
        { withinMs: 180_000 },
      );
      const credentials = { email: 'admin@parlance.local', password: PASSWORD };
      return (await signIn(`${origin}/v2`, credentials)).token;
    },
    /** An address of this machine that containers reach, whichever networks are made anew. */
    async hostAddress(): Promise<string> {
      const format = '{{(index .IPAM.Config 0).Gateway}}';
      return (await run('docker', ['network', 'inspect', 'bridge', '--format', format], { cwd: '.' })).trim();
    },
    async remove(): Promise<void> {
      await compose('down', '--volumes', '--timeout', '5');
      await folder.remove();
    },
  };
}
export type Cluster = Awaited<ReturnType<typeof composeCluster>>;
