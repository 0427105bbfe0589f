import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../platform/config/variables.ts';
import type { Variable } from '../../platform/config/variables.ts';

const { items } = parse(readFileSync('deploy/kubernetes.yaml', 'utf8')) as { items: any[] };
const of = (kind: string) => items.filter((item) => item.kind === kind);
const { data } = of('ConfigMap')[0] as { data: Record<string, string> };
const job = parse(readFileSync('deploy/kubernetes-indexes.yaml', 'utf8'));
const pods = [...of('Deployment'), job].map(({ spec }) => spec.template.spec);

test('deploy/kubernetes.yaml sets only variables that the product reads, to valid values', () => {
  for (const [name, value] of Object.entries(data)) {
    const variable = (VARIABLES as Record<string, Variable>)[name];
    expect(variable?.kind.parse(value), `${name}=${value}`).toBeDefined();
  }
});

test('the Kubernetes deployment runs existing programs, without root and without a writable disk', () => {
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

test('the Kubernetes deployment can be applied again: the immutable job is in a separate file', () => {
  expect(job.kind).toBe('Job');
  expect(of('Job')).toEqual([]);
});

test('the Kubernetes deployment spreads processes over hosts', () => {
  for (const { spec } of of('Deployment')) {
    const [spread] = spec.template.spec.topologySpreadConstraints;
    expect(spread).toMatchObject({ topologyKey: 'kubernetes.io/hostname', labelSelector: spec.selector });
  }
});

test('the Kubernetes deployment probes processes at their ports, and gives them more time to stop than they need', () => {
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
    // A load balancer must notice the shutdown before the process stops accepting connections.
    if (readinessProbe.failureThreshold) {
      expect(Number(data['SHUTDOWN_DELAY_MS'])).toBeGreaterThan(
        readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1000,
      );
    }
  }
});

test('the Kubernetes deployment scales every deployment, and its gateway exposes the API without its metrics', () => {
  const deployed = of('Deployment')
    .map(({ metadata }) => metadata.name)
    .sort();
  const scaled = of('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name);
  expect(scaled.sort()).toEqual(deployed);
  const { host } = new URL(data['PUBLIC_URL']!);
  const [{ spec: gateway }] = of('Gateway');
  expect(gateway.listeners.map(({ hostname }: any) => hostname)).toEqual([host, host]);
  const [redirect, route] = of('HTTPRoute').map(({ spec }) => spec);
  expect([redirect.hostnames, route.hostnames]).toEqual([[host], [host]]);
  expect([redirect, route].map(({ parentRefs: [{ sectionName }] }) => sectionName)).toEqual([
    'http',
    'https',
  ]);
  expect(redirect.rules[0].filters[0].requestRedirect.scheme).toBe('https');
  const reached = route.rules.map(({ matches: [{ path }], backendRefs: [{ name }] }: any) => {
    const service = of('Service').find(({ metadata }) => metadata.name === name);
    return [path.value, deployed.includes(service.spec.selector.app)];
  });
  expect(reached).toEqual([
    ['/metrics', false],
    ['/', true],
  ]);
  expect(route.rules[1].timeouts).toEqual({ request: '0s' });
});

test('the Kubernetes deployment allows connections from processes to their servers and the internet, and to nothing else', () => {
  const policies = of('NetworkPolicy');
  expect(policies.map(({ spec }) => spec.podSelector)).toEqual(
    of('Service')
      .slice(0, 1)
      .map(({ spec }) => ({ matchLabels: spec.selector }))
      .concat({ matchLabels: { app: 'parlance-worker' } }),
  );
  const ports = [53, 53, 27017, Number(data['TEMPORAL_ADDRESS']!.split(':')[1])];
  for (const { spec } of policies) {
    const open = spec.egress.filter(({ to }: any) => !to).flatMap((rule: any) => rule.ports);
    expect(open.map(({ port }: any) => port)).toEqual(ports);
    const [{ ipBlock }] = spec.egress.find(({ to }: any) => to?.[0].ipBlock).to;
    expect(ipBlock.except).toContain('169.254.0.0/16');
  }
});
