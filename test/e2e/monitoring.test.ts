import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string };
}

const { groups } = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules).map(({ alert, expr }) => [alert, expr] as const);
const dashboard = JSON.parse(readFileSync('deploy/grafana/parlance.json', 'utf8')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

const { scrape_configs: scraped } = parse(readFileSync('deploy/prometheus/prometheus.yml', 'utf8')) as {
  scrape_configs: { job_name: string }[];
};
const jobs = scraped.map(({ job_name: name }) => `job="${name}"`);

/** Labels that Prometheus adds to every series itself. */
const OF_THE_TARGET = ['job', 'instance'];

/**
 * Returns the metrics of a PromQL expression, each with its labels and its matchers for one value
 * (`name="value"`).
 */
function selectorsOf(expression: string): { metric: string; labels: string[]; values: string[] }[] {
  const found: { metric: string; labels: string[]; values: string[] }[] = [];
  parser.parse(expression).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) throw new Error(`not PromQL, at ${from}: ${expression}`);
      const text = expression.slice(from, to);
      if (name === 'Identifier') found.push({ metric: text, labels: [], values: [] });
      if (name === 'LabelName') found.at(-1)?.labels.push(text);
      if (/Matcher$/.test(name) && /^\w+="/.test(text)) found.at(-1)?.values.push(text);
    },
  });
  return found;
}

describe('alerts and the dashboard', () => {
  let product: Product;
  /**
   * All metrics of the API and the worker by name, each with its label names and its labels with
   * values (`name="value"`).
   */
  const exposed = new Map<string, Set<string>>();

  beforeAll(async () => {
    product = await sharedApi('monitoring');
    const port = product.environment['WORKER_PORT'];
    // A refused request, posts and the ends of all waits, so that every kind of series exists.
    await product.admin.get('/users/ffffffffffffffffffffffff');
    const { body } = await product.admin.post('/conversations', {});
    await product.admin.post('/messages', [
      { conversation: body.id, role: 'contact', text: 'counted' },
      { conversation: body.id, role: 'agent', text: 'a reply' },
      { conversation: body.id, type: 'command', text: '/accept' },
      { conversation: body.id, type: 'command', text: '/set status closed' },
    ]);
    for (const origin of [product.origin, `http://127.0.0.1:${port}`]) {
      const text = await (await fetch(`${origin}/metrics`)).text();
      for (const [, name = '', labels = ''] of text.matchAll(/^(?:# TYPE )?([a-z]\w+)(?:\{(.*)\})? /gm)) {
        const known = exposed.get(name) ?? new Set();
        for (const [pair, label = ''] of labels.matchAll(/(\w+)="[^"]*"/g)) known.add(label).add(pair);
        exposed.set(name, known);
      }
    }
  });
  afterAll(() => product.close());

  test('at least ten alerts and ten queries of dashboard panels exist', () => {
    expect([alerts.length, panels.length].every((count) => count >= 10)).toBe(true);
  });

  test.each([...alerts, ...panels])('%s reads only exposed metrics', (_, expression) => {
    const selectors = selectorsOf(expression);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, labels, values } of selectors) {
      if (metric !== 'up') expect([...exposed.keys()]).toContain(metric);
      // The label `outcome` appears with the first delivery, so the series may still lack it.
      const known = [...(exposed.get(metric) ?? []), ...OF_THE_TARGET, 'outcome', 'le'];
      expect(known, `labels of ${metric}`).toEqual(expect.arrayContaining(labels));
      expect([...known, ...jobs], `values of labels of ${metric}`).toEqual(expect.arrayContaining(values));
    }
  });

  test.each(['accept', 'first_reply', 'close'])('the worker counts the ended wait %s', async (wait) => {
    const address = `http://127.0.0.1:${product.environment['WORKER_PORT']}/metrics`;
    const counted = new RegExp(`^parlance_conversation_wait_seconds_count\\{wait="${wait}"\\} [1-9]`, 'm');
    expect(await (await fetch(address)).text()).toMatch(counted);
  });

  test('the check of alerts and the dashboard fails if an expression is invalid or a metric is not exposed', () => {
    expect(() => selectorsOf('sum(rate(parlance_x[5m])')).toThrow('not PromQL');
    expect(selectorsOf('sum by (a) (rate(parlance_x{b="1"}[5m])) / 2')).toEqual([
      { metric: 'parlance_x', labels: ['b'], values: ['b="1"'] },
    ]);
    expect([...exposed.keys()]).not.toContain('parlance_x');
  });
});
