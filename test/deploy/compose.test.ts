import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { TEMPORAL_CLI_VERSION } from '../../deploy/local/temporal.ts';
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
  network_mode?: string;
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

/** Network modes of the services that join no network. */
const MODES: Record<string, string> = { 'mongodb-keys': 'none', 'replica-set': 'service:mongodb-1' };

/** Variables that the container setup determines, regardless of .env. */
const DECIDED = ['HOST', 'PORT', 'WORKER_PORT', 'MONGODB_URI', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];
DECIDED.push('TEMPORAL_UI_URL', 'TRUSTED_PROXIES', 'SHUTDOWN_DELAY_MS', 'SHUTDOWN_TIMEOUT_MS');

/**
 * Checks docker-compose.yml against the product and for contradictions, without starting the
 * services. The tests of `npm run test:compose` (test/compose) start them.
 */
describe('docker-compose.yml', () => {
  test('docker-compose.yml runs the commands of the npm scripts: two APIs, two workers, and the index job before them', () => {
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
    'docker-compose.yml gives %s only variables that the product reads, with valid values',
    (_, service) => {
      for (const [name, value] of Object.entries(service.environment ?? {})) {
        const variable = variables[name];
        expect(variable, name).toBeDefined();
        const filled = fill(value, {
          AUTH_SECRET: 's'.repeat(32),
          BOOTSTRAP_ADMIN_PASSWORD: 'p'.repeat(10),
          PUBLIC_URL: 'https://chat.example.com',
          MONGODB_PASSWORD: 'secret',
        });
        if (filled !== '') expect(variable?.kind.parse(filled), `${name}=${filled}`).toBeDefined();
      }
    },
  );

  test.each(ours)(
    'docker-compose.yml lets %s read every documented variable from .env, except the variables that compose determines',
    (_, service) => {
      expect(service.env_file).toEqual([{ path: '.env', required: false }]);
      const decided = Object.entries(service.environment ?? {}).flatMap(([name, value]) =>
        value.includes(`\${${name}`) ? [] : [name],
      );
      expect(DECIDED).toEqual(expect.arrayContaining(decided));
    },
  );

  test('docker-compose.yml has a Temporal command line that runs only on request', () => {
    const { profiles, entrypoint, environment } = compose.services['temporal-cli'] ?? {};
    expect([profiles, entrypoint]).toEqual([['tools'], ['temporal']]);
    expect(environment).toMatchObject({ TEMPORAL_ADDRESS: 'temporal:7233' });
    expect(read('docs/operations.md')).toContain(`\`${COMPOSE_ALIAS}\``);
  });

  test('docker-compose.yml runs the release of Temporal that test/cluster runs, of the minor version that the embedded server has', () => {
    const image = compose.services['temporal']?.image ?? '';
    const [, version = ''] = image.split(/[:@]/);
    expect(compose.services['temporal-schema']?.image?.split('@')[0]).toBe(
      `temporalio/admin-tools:${version}`,
    );
    expect(read('test/cluster/temporal/go.mod')).toContain(`go.temporal.io/server v${version} `);
    // A release of the CLI contains the first server of a minor version.
    const embedded = read('deploy/local/temporal/cli/go.mod');
    expect(embedded).toContain(`github.com/temporalio/cli v${TEMPORAL_CLI_VERSION} `);
    expect(embedded).toContain(`go.temporal.io/server v${/^\d+\.\d+\./.exec(version)?.[0]}`);
    expect(read('docs/operations.md')).toContain(`Temporal CLI ${TEMPORAL_CLI_VERSION}`);
    expect(read('docs/deployment.md')).toContain(`Temporal CLI ${TEMPORAL_CLI_VERSION}`);
  });

  test.each(ours)(
    'docker-compose.yml runs %s without capabilities, new privileges or a writable disk',
    (_, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  test('docker-compose.yml names an exact release of every image, and Dependabot updates the releases', () => {
    const images = ['docker-compose.yml', 'docker-compose.monitoring.yml'].flatMap((file) =>
      Object.values((parse(read(file), { merge: true }) as Compose).services).flatMap(({ image, build }) =>
        image === undefined || build !== undefined ? [] : [image],
      ),
    );
    expect(images.length).toBeGreaterThan(10);
    for (const image of images)
      expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-alpine)?(@sha256:[0-9a-f]{64})?$/);
    const { updates } = parse(read('.github/dependabot.yml')) as {
      updates: { 'package-ecosystem': string; directories?: string[] }[];
    };
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(
      expect.arrayContaining(['npm', 'docker', 'docker-compose', 'github-actions', 'gomod', 'pip']),
    );
    const modules = execFileSync('git', ['ls-files', '*go.mod'], { encoding: 'utf8' }).trim().split('\n');
    expect(updates.find((update) => update.directories)?.directories).toEqual(
      modules.map((file) => `/${dirname(file)}`),
    );
  });

  test('docker-compose.yml probes the readiness of APIs and workers at their addresses', () => {
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

  test('docker-compose.yml defines a health check for every long-running service and for no job', () => {
    const added = parse(read('docker-compose.monitoring.yml')) as Pick<Compose, 'services'>;
    for (const [name, { restart, healthcheck }] of [...services, ...Object.entries(added.services)]) {
      if (restart === 'unless-stopped') expect(healthcheck?.test[0], name).toMatch(/^CMD/);
      else expect([restart, healthcheck], name).toEqual(['on-failure:5', undefined]);
    }
  });

  test('docker-compose.yml gives processes more time to stop than they need', () => {
    for (const [, { environment = {}, stop_grace_period: grace = '' }] of ours) {
      const takes =
        Number(environment['SHUTDOWN_DELAY_MS'] ?? 0) + Number(environment['SHUTDOWN_TIMEOUT_MS']);
      expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThan(takes);
    }
  });

  test('docker-compose.yml waits only for services with a health check or for the completion of jobs', () => {
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

  test('docker-compose.yml keeps databases and Temporal in a network without outside access', () => {
    expect(compose.networks['back']).toEqual({ internal: true });
    const published = services.filter(([, { ports }]) => ports).map(([name]) => name);
    expect(published).toEqual(['proxy']);
    // Temporal's pages are served under loopback names only.
    expect(read('deploy/Caddyfile')).toMatch(
      /^http:\/\/:8233 \{\n\t@foreign not host localhost 127\.0\.0\.1\n\trespond @foreign ".*" 403\n/m,
    );
    for (const [name, { networks, network_mode: mode, ports = [] }] of services) {
      if (/^(mongodb-\d|postgres|temporal$)/.test(name)) expect(networks, name).toEqual(['back']);
      if (mode !== undefined) expect([networks, mode]).toEqual([undefined, MODES[name]]);
      for (const port of ports) expect(fill(port)).toMatch(/^127\.0\.0\.1:/);
    }
  });

  test('docker-compose.yml starts every member of the replica set with the shared key, and the product with its own user', () => {
    for (const name of ['mongodb-1', 'mongodb-2', 'mongodb-3']) {
      expect(compose.services[name]?.command?.join(' ')).toContain('--keyFile /keys/members');
      expect(compose.services[name]?.volumes).toContain('mongodb-keys:/keys:ro');
    }
    for (const [name, { environment }] of ours)
      expect(environment?.['MONGODB_URI'], name).toMatch(/^mongodb:\/\/parlance:\$\{MONGODB_PASSWORD:\?/);
  });

  test('docker-compose.yml mounts only existing files and declared volumes', () => {
    for (const [, { volumes = [] }] of services) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect(existsSync(source), source).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
    }
    const members = Object.keys(compose.volumes).filter((name) => /^mongodb-\d$/.test(name));
    expect(compose.services['api-1']?.environment?.['MONGODB_URI']).toContain(
      members.map((name) => `${name}:27017`).join(),
    );
  });

  test('the docker-compose files use exactly the variables of .env.production.example', () => {
    const files = ['', '.mail', '.tls', '.monitoring'].map((name) => `docker-compose${name}.yml`);
    const asked = files.flatMap((path) =>
      [...read(path).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
    );
    const shown = [...read('.env.production.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(
      ([, name = '']) => name,
    );
    expect([...new Set(asked)].sort()).toEqual([...new Set(shown)].sort());
  });
});

test('docker-compose.mail.yml publishes the port on which the API receives mail', () => {
  const { services } = parse(read('docker-compose.mail.yml')) as Compose;
  const { environment = {}, ports: [port = ''] = [] } = services['api-1'] ?? {};
  expect(Object.keys(variables)).toEqual(expect.arrayContaining(Object.keys(environment)));
  expect(port.split(':').at(-1)).toBe(environment['MAIL_PORT']);
  expect(port).toMatch(/^\$\{MAIL_BIND:-127\.0\.0\.1\}:/);
});

describe('the image', () => {
  const lines = read('Dockerfile').split('\n');

  test('the image runs as an unprivileged user and is built without install scripts of packages', () => {
    expect(lines).toContain('USER 1000');
    const installs = lines.filter((line) => line.includes('npm ci'));
    expect(installs.length).toBe(1);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
  });

  test('the Dockerfile copies the package.json of each workspace package in the stage that installs packages', () => {
    const stages = read('Dockerfile').split(/^FROM /m);
    const installing = stages.filter((stage) => stage.includes('npm ci'));
    expect(installing.length).toBe(1);
    const folders = readdirSync('packages').filter((name) => !name.includes('.'));
    for (const stage of installing)
      for (const name of folders)
        expect(stage).toContain(`COPY packages/${name}/package.json packages/${name}/\n`);
  });

  test.each(['PORT', 'WORKER_PORT'])(
    'the health check of the image passes only while the process at %s is alive',
    async (variable) => {
      expect(read('Dockerfile')).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", "dist\/worker\/probe.js"\]$/m);
      let status = 200;
      const server = createServer(({ url }, response) =>
        response.writeHead(url === '/healthz' ? status : 404).end(),
      );
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      onTestFinished(() => void server.close());
      // Nothing listens on port 1.
      const env = { PORT: '1', WORKER_PORT: '1', [variable]: `${(server.address() as AddressInfo).port}` };
      const check = () =>
        promisify(execFile)(process.execPath, ['dist/worker/probe.js'], { env }).then(
          () => 0,
          (error: unknown) => (error as { code: number }).code,
        );
      expect(await check()).toBe(0);
      status = 503;
      expect(await check()).toBe(1);
    },
  );

  test('the image contains no packages, build output, data, .env files or git history of this machine', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['node_modules', 'dist', 'packages/*/dist', 'data', '.env*', '.git']),
    );
  });
});

/** Expands `${NAME:-default}` and `${NAME:?text}` like compose. */
function fill(text: string, given: Record<string, string> = {}): string {
  return text.replaceAll(
    /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (_, name: string, otherwise = '') => given[name] ?? otherwise,
  );
}
