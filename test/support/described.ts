import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A request and its response. */
interface Exchange {
  method: string;
  /** The path below /v2, with the query. */
  path: string;
  status: number;
  headers: Headers;
  body: unknown;
}

interface Reference {
  $ref: string;
}

interface DescribedResponse {
  headers: Record<string, Reference>;
  content?: Record<string, object>;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DescribedResponse | Reference> }>>;
  components: {
    headers: Record<string, { required?: boolean; schema: { type: string } }>;
    responses: Record<string, DescribedResponse>;
  };
}

const ROOT = 'openapi';
const ERROR = `${ROOT}#/components/schemas/Refusal`;

/** Compiles the schemas of headers and caches them. */
const HEADERS = new Ajv2020({ strict: false, validateFormats: false });

let description: Promise<{ document: OpenApiDocument; ajv: Ajv2020 }> | undefined;

/**
 * Throws unless /openapi.json describes the response: its status for the operation, its headers,
 * and every field of its body. For an operation that the document lacks, accepts only an error with
 * status 404, 405 or 429. Checks nothing if `base` does not end with /v2.
 */
export async function assertDescribed(base: string, exchange: Exchange): Promise<void> {
  if (!base.endsWith('/v2')) return;
  description ??= load(base).catch((error: unknown) => {
    description = undefined;
    throw error;
  });
  const problem = findProblem(exchange, await description);
  if (problem === undefined) return;
  const { method, path, status, body } = exchange;
  throw new Error(
    `${method} ${path} answered ${status}, which /openapi.json does not describe: ${problem}\n${JSON.stringify(body ?? null).slice(0, 2000)}`,
  );
}

async function load(base: string) {
  const text = await (await fetch(`${base.slice(0, -3)}/openapi.json`)).text();
  const document = JSON.parse(text) as OpenApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Accepts every email and URI, because the product has its own rules for both.
  ajv.addFormat('email', true);
  ajv.addFormat('uri', true);
  ajv.addSchema(JSON.parse(text, closed) as object, ROOT);
  return { document, ajv };
}

// The document allows additional fields because later releases may add some (spec 1.6). In tests
// every field must be documented.
function closed(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value) || !('type' in value))
    return value;
  return { additionalProperties: false, ...value };
}

function findProblem(exchange: Exchange, { document, ajv }: Awaited<NonNullable<typeof description>>) {
  const { method, path, status, headers, body } = exchange;
  const [pathname = '', query = ''] = path.split('?');
  const template = findTemplate(pathname, document);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = template === undefined ? undefined : document.paths[template]?.[verb];
  if (!operation) {
    const right = [404, 405, 429].includes(status) && (method === 'HEAD' || ajv.validate(ERROR, body));
    return right ? undefined : 'there is no such operation';
  }
  const described = operation.responses[status];
  if (!described) return `the status; it knows ${Object.keys(operation.responses).join(', ')}`;
  const place = `/paths/${escaped(template ?? '')}/${verb}/responses/${status}`;
  const [answer, pointer] =
    '$ref' in described
      ? [document.components.responses[described.$ref.split('/').pop() ?? ''], described.$ref.slice(1)]
      : [described, place];
  if (!answer) return `it refers to ${pointer}, which is not there`;
  // The body of such a response is not checked: a response to HEAD has none, and `select` and
  // `populate` change the shape of a record.
  const reshaped = method === 'HEAD' || (status < 300 && /(^|&)(select|populate)=/.test(query));
  return (
    headersProblem(headers, answer, document) ??
    (reshaped ? undefined : bodyProblem(exchange, answer, { pointer, ajv }))
  );
}

function findTemplate(pathname: string, { paths }: OpenApiDocument): string | undefined {
  const steps = pathname.split('/');
  const fits = (template: string) => {
    const parts = template.split('/');
    return (
      parts.length === steps.length && parts.every((part, at) => part.startsWith('{') || part === steps[at])
    );
  };
  const variables = (template: string) => template.split('{').length;
  return Object.keys(paths)
    .filter(fits)
    .sort((a, b) => variables(a) - variables(b))[0];
}

function headersProblem(
  headers: Headers,
  { headers: described }: DescribedResponse,
  { components }: OpenApiDocument,
) {
  for (const name of Object.keys(described)) {
    const { required = false, schema } = components.headers[name]!;
    const value = headers.get(name);
    if (value === null && required) return `the header ${name} is missing`;
    if (value !== null && !HEADERS.validate(schema, schema.type === 'integer' ? Number(value) : value)) {
      return `the header ${name}: ${value} ${HEADERS.errorsText()}`;
    }
  }
  return undefined;
}

function bodyProblem(
  { headers, body }: Exchange,
  answer: DescribedResponse,
  { pointer, ajv }: { pointer: string; ajv: Ajv2020 },
) {
  if (!answer.content) return body === undefined ? undefined : 'it has a body';
  const type = headers.get('content-type')?.split(';')[0] ?? 'none';
  if (!(type in answer.content)) return `the body is ${type}`;
  const validate = ajv.getSchema(`${ROOT}#${pointer}/content/${escaped(type)}/schema`);
  if (!validate) return 'the schema of the body is not there';
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
