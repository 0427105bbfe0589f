import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { run } from '../support/fetched.ts';

/**
 * The releases against which the manifests are checked. Their Go modules contain the API schemas.
 */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.0';
const GATEWAY_API = 'sigs.k8s.io/gateway-api@v1.6.3';

export interface Described {
  apiVersion: string;
  kind: string;
}

interface Schema {
  properties?: object;
  additionalProperties?: unknown;
  'x-kubernetes-group-version-kind'?: { kind: string }[];
}

/**
 * Fetches the API schemas with Go, once per release. Returns a function that validates an object
 * and returns one line per problem. An unknown field is a problem.
 */
export async function fetchApiSchemas(): Promise<(given: Described) => Promise<string[]>> {
  const kubernetes = await download(KUBERNETES);
  const gateways = await download(GATEWAY_API);
  return async (given) => {
    const check = given.apiVersion.startsWith('gateway.')
      ? await gatewayCheck(join(gateways, 'config/crd/standard'), given)
      : await checkOf(join(kubernetes, 'api/openapi-spec/v3'), given);
    if (check === undefined) return [`there is no ${given.kind} in ${given.apiVersion}`];
    const fits: boolean = check(given);
    if (fits) return [];
    return (check.errors ?? []).map(({ instancePath, message, params }) =>
      [given.kind, instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}

/** Downloads a Go module and returns its folder. */
async function download(module: string): Promise<string> {
  const { Dir } = JSON.parse(await run('go', ['mod', 'download', '-json', module], { cwd: '/' })) as {
    Dir: string;
  };
  return Dir;
}

/** Returns the validator of a kind of the Gateway API, from the definition file of that kind. */
async function gatewayCheck(
  folder: string,
  { apiVersion, kind }: Described,
): Promise<ValidateFunction | undefined> {
  const [group, version] = apiVersion.split('/');
  const file = await readFile(join(folder, `${group}_${kind.toLowerCase()}s.yaml`), 'utf8').catch(() => '');
  const definition = parse(file) as {
    spec: { versions: { name: string; schema: { openAPIV3Schema: Schema } }[] };
  } | null;
  const schema = definition?.spec.versions.find(({ name }) => name === version)?.schema.openAPIV3Schema;
  if (!schema) return undefined;
  refuseUnknownFields(schema);
  Object.assign(schema, { additionalProperties: true });
  return new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
}

function refuseUnknownFields(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('properties' in schema && 'type' in schema) (schema as Schema).additionalProperties ??= false;
  for (const part of Object.values(schema)) refuseUnknownFields(part);
}

/**
 * Returns the validator of a kind, such as Deployment of `apps/v1`, or undefined for an unknown
 * kind.
 */
async function checkOf(
  folder: string,
  { apiVersion, kind }: Described,
): Promise<ValidateFunction | undefined> {
  const name = apiVersion.includes('/') ? `apis__${apiVersion.replace('/', '__')}` : `api__${apiVersion}`;
  const { components } = JSON.parse(await readFile(join(folder, `${name}_openapi.json`), 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  for (const schema of Object.values(components.schemas)) {
    if (schema.properties) schema.additionalProperties ??= false;
  }
  const [id] =
    Object.entries(components.schemas).find(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some((one) => one.kind === kind),
    ) ?? [];
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'api', components });
  return id === undefined ? undefined : ajv.compile({ $ref: `api#/components/schemas/${id}` });
}
