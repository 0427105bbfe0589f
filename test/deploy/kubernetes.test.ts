import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../config/variables.ts';
import type { Variable } from '../../config/variables.ts';

const { items } = parse(readFileSync('deploy/kubernetes.yaml', 'utf8')) as { items: any[] };
const of = (kind: string) => items.filter((item) => item.kind === kind);
const { data } = of('ConfigMap')[0] as { data: Record<string, string> };
const job = parse(readFileSync('deploy/kubernetes-indexes.yaml', 'utf8'));
const pods = [...of('Deployment'), job].map(({ spec }) => spec.template.spec);

test('deploy/kubernetes.yaml sets only variables that the product reads, to values that it takes', () => {
  for (const [name, value] of Object.entries(data)) {
    const variable = (VARIABLES as Record<string, Variable>)[name];
    expect(variable?.kind.parse(value), `${name}=${value}`).toBeDefined();
  }
});

test('it runs what is there, without root and without a disk to write to', () => {
  expect(pods.length).toBe(3);
  for (const pod of pods) {
    const [container] = pod.containers;
    expect(existsSync(container.args[0].replace('dist/', '').replace('.js', '.ts'))).toBe(true);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    });
  }
});

test('it can be applied again: what cannot be changed stands beside it', () => {
  expect(job.kind).toBe('Job');
  expect(of('Job')).toEqual([]);
});

test('it spreads processes over hosts', () => {
  for (const { spec } of of('Deployment')) {
    const [spread] = spec.template.spec.topologySpreadConstraints;
    expect(spread).toMatchObject({ topologyKey: 'kubernetes.io/hostname', labelSelector: spec.selector });
  }
});

test('it asks probes where they are answered, and gives processes more time to end than they take', () => {
  const takes = Number(data['SHUTDOWN_DELAY_MS']) + Number(data['SHUTDOWN_TIMEOUT_MS']);
  for (const { spec } of of('Deployment')) {
    const pod = spec.template.spec;
    const [{ ports, readinessProbe, livenessProbe, args }] = pod.containers;
    const port = args[0].includes('worker') ? Number(data['WORKER_PORT']) : 3000;
    expect(ports[0].containerPort).toBe(port);
    expect([readinessProbe.httpGet, livenessProbe.httpGet]).toEqual([
      { path: '/readyz', port: ports[0].name },
      { path: '/healthz', port: ports[0].name },
    ]);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(takes);
    // A balancer has heard of it before it stops to accept.
    if (readinessProbe.failureThreshold) {
      expect(Number(data['SHUTDOWN_DELAY_MS'])).toBeGreaterThan(
        readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1000,
      );
    }
  }
});
