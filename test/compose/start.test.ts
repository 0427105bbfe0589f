import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../platform/config/variables.ts';
import { eventually } from '../support/eventually.ts';
import { theCluster } from './cluster.ts';
import { PROCESSES, warningsOf } from './commands.ts';

const MEGABYTES = 150;

const cluster = theCluster();

/** A container in the output of `docker compose ps`. */
interface Shown {
  Service: string;
  State: string;
  Health: string;
  ExitCode: number;
}

interface Compose {
  services: Record<string, { environment?: Record<string, string> }>;
}

describe('docker compose up', () => {
  test('docker compose up completes one-time services and reports all other services as healthy', async () => {
    const shown = await eventually(
      async () => {
        const lines = await cluster.compose('ps', '--all', '--format', 'json');
        const all = lines
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Shown);
        const isWell = ({ State, Health, ExitCode }: Shown) =>
          State === 'exited' ? ExitCode === 0 : Health === 'healthy';
        return all.every(isWell) && all;
      },
      { withinMs: 120_000 },
    );
    const ended = shown.filter(({ State }) => State === 'exited').map(({ Service }) => Service);
    const jobs = ['indexes', 'mongodb-keys', 'replica-set', 'temporal-namespace', 'temporal-schema'];
    expect(ended.toSorted()).toEqual(jobs);
  });

  test('docker compose up causes no warnings in the logs, at the first start and at a restart', async () => {
    const { PARLANCE_TEST_WARNINGS: first = 'nobody looked' } = process.env;
    expect(JSON.parse(first)).toEqual([]);
    await cluster.compose('up', '--detach', '--wait', '--no-deps', '--force-recreate', ...PROCESSES);
    await cluster.ready();
    expect(await warningsOf(cluster)).toEqual([]);
  });

  test.each(['api-1', 'worker'])(
    'docker compose passes every documented variable of .env to %s, except the variables that docker-compose.yml sets',
    async (service) => {
      const { services } = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true }) as Compose;
      const fixed = Object.entries(services[service]?.environment ?? {}).filter(
        ([name, value]) => !value.includes(`\${${name}`),
      );
      const decided = new Set(fixed.map(([name]) => name));
      const names = Object.keys(VARIABLES).filter((name) => !decided.has(name));
      expect(names.length).toBeGreaterThan(25);
      // Ports must be numbers, because compose itself publishes some of them.
      const lines = names.map((name) => `${name}=${name.endsWith('PORT') ? 12_345 : `given to ${name}`}`);
      await cluster.shell(`cp .env .env.before && echo "$LINES_OF_ENV" >> .env`, {
        LINES_OF_ENV: lines.join('\n'),
      });
      try {
        const printed = await cluster.compose('run', '--rm', '--no-deps', '--entrypoint', 'env', service);
        const seen = new Set(printed.split('\n'));
        expect(lines.filter((line) => !seen.has(line))).toEqual([]);
      } finally {
        await cluster.shell('mv .env.before .env');
      }
    },
  );

  test('docker compose up fails without PUBLIC_URL, with a message that names the variable', async () => {
    const started = cluster.shell('PUBLIC_URL= docker compose up --detach api-1');
    await expect(started).rejects.toThrow('set PUBLIC_URL in .env, where the world reaches the API');
  });

  test(`the image has at most ${MEGABYTES} MB of packages`, async () => {
    const words = ['run', '--rm', '--no-deps', '--entrypoint', 'du', 'indexes', '-sm', 'node_modules'];
    expect(Number.parseInt(await cluster.compose(...words), 10)).toBeLessThanOrEqual(MEGABYTES);
  });

  test('docker compose up reports PostgreSQL as healthy only after PostgreSQL has created its data', async () => {
    const [container = ''] = await cluster.containers('postgres');
    const image = (await cluster.docker('inspect', '--format', '{{.Config.Image}}', container)).trim();
    const words = ['run', '--detach', '--rm', '--env', 'POSTGRES_USER=temporal', '--env'];
    const made = (await cluster.docker(...words, 'POSTGRES_PASSWORD=temporal', image)).trim();
    const ask = (program: string) =>
      cluster.docker('exec', made, 'sh', '-c', program).then(
        () => true,
        () => false,
      );
    try {
      // The health check of docker-compose.yml passes only for the permanent server, not for the
      // temporary server that creates the data.
      const { healthcheck } = JSON.parse(await cluster.compose('config', '--format', 'json')).services
        .postgres;
      const check = healthcheck.test.at(-1) as string;
      await eventually(() => ask(check), { everyMs: 10 });
      expect(await ask('test "$(cat /proc/1/comm)" = postgres')).toBe(true);
    } finally {
      await cluster.docker('kill', made);
    }
  });
});
