import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { run } from '../support/fetched.ts';

/** The release whose API is asked; its Go module has the API's description in it. */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.0';

/** An object for Kubernetes. */
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
 * Fetches the description of Kubernetes' API by Go, once per release. The answer says what is wrong
 * with an object, a line each: fields that there are not, too.
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

/** What a kind of a version of a group of the API, such as `apps/v1`, has to look like. */
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
