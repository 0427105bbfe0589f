import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../platform/config/variables.ts';
import type { Variable } from '../../platform/config/variables.ts';
import { COMPOSE_ALIAS } from '../support/operator-shell.ts';

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart?: string;
  read_only?: boolean;
  networks?: string[];
  volumes?: string[];
  ports?: string[];
  deploy?: { replicas: number };
  stop_grace_period?: string;
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

const read = (path: string) => readFileSync(path, 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const variables: Record<string, Variable> = VARIABLES;

/** What follows from how the containers are put together, whatever .env says. */
const DECIDED = ['HOST', 'PORT', 'WORKER_PORT', 'MONGODB_URI', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];
DECIDED.push('TEMPORAL_UI_URL', 'TRUSTED_PROXIES', 'SHUTDOWN_DELAY_MS', 'SHUTDOWN_TIMEOUT_MS');

/**
 * What it says is held against the product and against itself; `npm run test:compose` runs it.
 */
describe('docker-compose.yml', () => {
  test('runs what npm runs: two APIs, two workers, and the indexes before them', () => {
    const run = ours.map(([name, { command = ['dist/api/main.js'], deploy }]) => [
      name,
      `exec node ${command.join(' ')}`,
      deploy?.replicas,
    ]);
    expect(run).toEqual([
      ['api-1', scripts['api'], undefined],
      ['api-2', scripts['api'], undefined],
      ['worker', scripts['worker'], 2],
      ['indexes', scripts['indexes'], undefined],
    ]);
  });

  test.each(ours)(
    'gives %s only variables that the product reads, with values that it takes',
    (_, service) => {
      for (const [name, value] of Object.entries(service.environment ?? {})) {
        const variable = variables[name];
        expect(variable, name).toBeDefined();
        const filled = fill(value, {
          AUTH_SECRET: 's'.repeat(32),
          BOOTSTRAP_ADMIN_PASSWORD: 'p'.repeat(10),
          PUBLIC_URL: 'https://chat.example.com',
        });
        if (filled !== '') expect(variable?.kind.parse(filled), `${name}=${filled}`).toBeDefined();
      }
    },
  );

  test.each(ours)(
    '%s reads every documented variable from .env, but those that compose decides',
    (_, service) => {
      expect(service.env_file).toEqual([{ path: '.env', required: false }]);
      const decided = Object.entries(service.environment ?? {}).flatMap(([name, value]) =>
        value.includes(`\${${name}`) ? [] : [name],
      );
      expect(DECIDED).toEqual(expect.arrayContaining(decided));
    },
  );

  test('has a command line of Temporal, which runs only when it is asked for', () => {
    const { profiles, entrypoint, environment } = compose.services['temporal-cli'] ?? {};
    expect([profiles, entrypoint]).toEqual([['tools'], ['temporal']]);
    expect(environment).toMatchObject({ TEMPORAL_ADDRESS: 'temporal:7233' });
    expect(read('docs/operations.md')).toContain(`\`${COMPOSE_ALIAS}\``);
  });

  test('runs the release of Temporal that test/cluster builds, and the embedded one is', () => {
    const image = compose.services['temporal']?.image ?? '';
    const [, version = ''] = image.split(':');
    expect(compose.services['temporal-schema']?.image).toBe(`temporalio/admin-tools:${version}`);
    for (const module of ['test/cluster/temporal', 'deploy/local/temporal/cli'])
      expect(read(`${module}/go.mod`)).toContain(`go.temporal.io/server v${version} `);
  });

  test.each(ours)('runs %s without root, capabilities and a disk to write to', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  test('asks APIs and workers where they answer whether they are ready', () => {
    const asked = (name: string) => compose.services[name]?.healthcheck?.test.slice(1);
    const port = {
      'api-1': variables['PORT']?.default,
      'api-2': variables['PORT']?.default,
      worker: compose.services['worker']?.environment?.['WORKER_PORT'],
    };
    for (const name of ['api-1', 'api-2', 'worker'] as const) {
      expect(asked(name)).toEqual(['node', 'dist/worker/probe.js', `http://127.0.0.1:${port[name]}/readyz`]);
    }
    expect(existsSync('worker/probe.ts')).toBe(true);
    expect(read('deploy/Caddyfile')).toMatch(/reverse_proxy api-1:3000 api-2:3000 \{/);
  });

  test('asks whatever stays whether it is well, and nothing that ends', () => {
    const added = parse(read('docker-compose.monitoring.yml')) as Pick<Compose, 'services'>;
    for (const [name, { restart, healthcheck }] of [...services, ...Object.entries(added.services)]) {
      if (restart === 'unless-stopped') expect(healthcheck?.test[0], name).toMatch(/^CMD/);
      else expect([restart, healthcheck], name).toEqual(['on-failure:5', undefined]);
    }
  });

  test('gives processes more time to end than they take', () => {
    for (const [, { environment = {}, stop_grace_period: grace = '' }] of ours) {
      const takes =
        Number(environment['SHUTDOWN_DELAY_MS'] ?? 0) + Number(environment['SHUTDOWN_TIMEOUT_MS']);
      expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThan(takes);
    }
  });

  test('waits only for what there is: for the healthy that can tell, for the done that end', () => {
    for (const [name, { depends_on = {} }] of services) {
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        const service = compose.services[needed];
        expect(service, `${name} needs ${needed}`).toBeDefined();
        if (condition === 'service_healthy') expect(service?.healthcheck, needed).toBeDefined();
        else
          expect([condition, service?.restart]).toEqual(['service_completed_successfully', 'on-failure:5']);
      }
    }
  });

  test('keeps databases and Temporal where the world cannot reach them', () => {
    expect(compose.networks['back']).toEqual({ internal: true });
    const published = services.filter(([, { ports }]) => ports).map(([name]) => name);
    expect(published).toEqual(['proxy']);
    // Temporal's pages are served under names of loopback alone.
    expect(read('deploy/Caddyfile')).toMatch(
      /^http:\/\/:8233 \{\n\t@foreign not host localhost 127\.0\.0\.1\n\trespond @foreign ".*" 403\n/m,
    );
    for (const [name, { networks, ports = [] }] of services) {
      if (/^(mongodb|postgres|temporal$|replica)/.test(name)) expect(networks, name).toEqual(['back']);
      for (const port of ports) expect(fill(port)).toMatch(/^127\.0\.0\.1:/);
    }
  });

  test('mounts files and volumes that are there', () => {
    for (const [, { volumes = [] }] of services) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect(existsSync(source), source).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
    }
    const members = Object.keys(compose.volumes).filter((name) => name.startsWith('mongodb-'));
    expect(compose.services['api-1']?.environment?.['MONGODB_URI']).toContain(
      members.map((name) => `${name}:27017`).join(),
    );
  });

  test('asks for the variables of .env.production.example, and for no others', () => {
    const asked = ['docker-compose.yml', 'docker-compose.tls.yml', 'docker-compose.monitoring.yml'].flatMap(
      (path) => [...read(path).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
    );
    const shown = [...read('.env.production.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(
      ([, name = '']) => name,
    );
    expect([...new Set(asked)].sort()).toEqual([...new Set(shown)].sort());
  });
});

describe('the image', () => {
  const lines = read('Dockerfile').split('\n');

  test('is nobody in particular, and lets no script of a package run', () => {
    expect(lines).toContain('USER 1000');
    const installs = lines.filter((line) => line.includes('npm ci'));
    expect(installs.length).toBe(1);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
  });

  test('installs with what each package of the workspace says it needs', () => {
    const stages = read('Dockerfile').split(/^FROM /m);
    const installing = stages.filter((stage) => stage.includes('npm ci'));
    expect(installing.length).toBe(1);
    const folders = readdirSync('packages').filter((name) => !name.includes('.'));
    for (const stage of installing)
      for (const name of folders)
        expect(stage).toContain(`COPY packages/${name}/package.json packages/${name}/\n`);
  });

  test('takes nothing from this machine but sources', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['node_modules', 'dist', 'packages/*/dist', 'data', '.env*', '.git']),
    );
  });
});

/** What compose makes of `${NAME:-default}` and `${NAME:?text}`. */
function fill(text: string, given: Record<string, string> = {}): string {
  return text.replaceAll(
    /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (_, name: string, otherwise = '') => given[name] ?? otherwise,
  );
}
