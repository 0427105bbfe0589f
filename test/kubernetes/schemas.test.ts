import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fetchApiSchemas } from './api-schemas.ts';
import type { Described } from './api-schemas.ts';

const read = (name: string) => parse(readFileSync(`deploy/${name}`, 'utf8'));
const { items } = read('kubernetes.yaml') as { items: (Described & { metadata: { name: string } })[] };
const GATEWAY = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway' };
const job = read('kubernetes-indexes.yaml') as (typeof items)[number];

describe('the Kubernetes manifests', () => {
  let problemsOf: Awaited<ReturnType<typeof fetchApiSchemas>>;

  beforeAll(async () => {
    problemsOf = await fetchApiSchemas();
  });

  test.each([...items, job].map((one) => [one.kind, one.metadata.name, one] as const))(
    'the Kubernetes manifests are valid for the Kubernetes API: %s %s',
    async (_kind, _name, given) => expect(await problemsOf(given)).toEqual([]),
  );

  test.each<[string, object, RegExp]>([
    ['an unknown field', { spec: { replica: 1 } }, /Deployment \/spec .*"replica"/],
    ['a value of another type', { spec: { replicas: 'two' } }, /Deployment \/spec\/replicas must be integer/],
    ['a missing field', { spec: { template: {} } }, /Deployment \/spec .*"selector"/],
    ['an unknown kind', { kind: 'Deploiment' }, /there is no Deploiment in apps\/v1/],
    [
      'an unknown field of a gateway',
      { ...GATEWAY, spec: { gatewayClassName: 'default', listeners: [{ nome: 'http' }] } },
      /Gateway \/spec\/listeners\/0 .*"nome"/,
    ],
    ['an unknown kind of gateway', { ...GATEWAY, kind: 'Gateweigh' }, /there is no Gateweigh/],
  ])('a manifest is rejected for %s', async (_, wrong, says) => {
    const problems = await problemsOf({ apiVersion: 'apps/v1', kind: 'Deployment', ...wrong });
    expect(problems.join('\n')).toMatch(says);
  });
});
