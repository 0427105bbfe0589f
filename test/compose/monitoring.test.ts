import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '../support/eventually.ts';
import { theCluster } from './cluster.ts';

const cluster = theCluster();
const FILES = `${process.env['COMPOSE_FILE']}:docker-compose.monitoring.yml`;
const SERVICES = process.env['STAND_INS'] === 'yes' ? ['prometheus'] : ['prometheus', 'grafana'];
const files = { COMPOSE_FILE: FILES };

interface Target {
  health: string;
  labels: { job: string };
}

interface Group {
  rules: { name: string; health: string }[];
}

describe('docker-compose.monitoring.yml', () => {
  let settings: Record<string, string>;

  beforeAll(async () => {
    const lines = (await cluster.shell('cat .env')).trim().split('\n');
    settings = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    await cluster.shell(`docker compose up --detach --wait --no-deps ${SERVICES.join(' ')}`, files);
  });
  afterAll(async () => {
    await cluster.shell(`docker compose rm --stop --force ${SERVICES.join(' ')}`, files);
  });

  async function prometheus<T>(path: string): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${settings['PROMETHEUS_PORT']}/api/v1/${path}`);
    return ((await answer.json()) as { data: T }).data;
  }

  test('Prometheus of docker-compose.monitoring.yml scrapes every API and every worker', async () => {
    const up = await eventually(async () => {
      const { activeTargets } = await prometheus<{ activeTargets: Target[] }>('targets');
      const jobs = activeTargets.filter(({ health }) => health === 'up').map(({ labels }) => labels.job);
      return jobs.length >= 4 && jobs.toSorted();
    });
    expect(up).toEqual(['parlance-api', 'parlance-api', 'parlance-worker', 'parlance-worker']);
  });

  test('Prometheus of docker-compose.monitoring.yml loads and evaluates every alert rule', async () => {
    const { groups } = parse(await readFile('deploy/prometheus/alerts.yml', 'utf8')) as {
      groups: { rules: { alert: string }[] }[];
    };
    const names = groups.flatMap(({ rules }) => rules).map(({ alert }) => [alert, 'ok']);
    expect(names.length).toBeGreaterThan(5);
    const evaluated = await eventually(async () => {
      const loaded = (await prometheus<{ groups: Group[] }>('rules')).groups.flatMap(({ rules }) => rules);
      const health = loaded.map((rule) => [rule.name, rule.health]);
      return health.every(([, one]) => one !== 'unknown') && health;
    });
    expect(evaluated).toEqual(names);
  });

  // Grafana has no stand-in, because Debian does not package it.
  test.skipIf(!SERVICES.includes('grafana'))(
    'Grafana of docker-compose.monitoring.yml has the dashboard and a working connection to Prometheus',
    async () => {
      const origin = `http://127.0.0.1:${settings['GRAFANA_PORT']}`;
      const login = Buffer.from(`admin:${settings['GRAFANA_PASSWORD']}`).toString('base64');
      const ask = async (path: string) =>
        (await fetch(`${origin}/api${path}`, { headers: { Authorization: `Basic ${login}` } })).json();
      const { dashboard } = (await ask('/dashboards/uid/parlance')) as { dashboard: { panels: unknown[] } };
      const file = JSON.parse(await readFile('deploy/grafana/parlance.json', 'utf8')) as typeof dashboard;
      expect(dashboard.panels).toHaveLength(file.panels.length);
      const [source] = (await ask('/datasources')) as { uid: string }[];
      expect(await ask(`/datasources/uid/${source?.uid}/health`)).toMatchObject({ status: 'OK' });
    },
  );
});
