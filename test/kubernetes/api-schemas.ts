import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { run } from '../support/fetched.ts';

/** The release whose API is checked. Its Go module contains the API description. */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.0';

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
 * Fetches the API description of Kubernetes with Go, once per release. The returned function
 * validates an object and returns one line per problem, including unknown fields.
 */
export async function fetchApiSchemas(): Promise<(given: Described) => Promise<string[]>> {
  const fetched = await run('go', ['mod', 'download', '-json', KUBERNETES], { cwd: '/' });
  const { Dir } = JSON.parse(fetched) as { Dir: string };
  return async (given) => {
    const check = await checkOf(join(Dir, 'api/openapi-spec/v3'), given);
    if (check === undefined) return [`there is no ${given.kind} in ${given.apiVersion}`];
    const fits: boolean = check(given);
    if (fits) return [];
    return (check.errors ?? []).map(({ instancePath, message, params }) =>
      [given.kind, instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}

/**
 * Returns the validator of a kind, such as Deployment of `apps/v1`, or undefined if it is unknown.
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
