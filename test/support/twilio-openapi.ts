import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';

interface Operation {
  parameters?: { name: string; in: string; schema: object; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties: object } }> };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

interface Sent {
  method: string;
  pathname: string;
}

const FORMATS: Record<string, (value: string) => boolean> = {
  // An empty text removes an address.
  uri: (value) => value === '' || (URL.canParse(value) && /^https?:/.test(value)),
  'phone-number': (value) => /^(?:\+[1-9]\d{6,14}|\d{3,8}|[\w ]{1,11})$/.test(value),
  'date-time-rfc-2822': (value) => !Number.isNaN(Date.parse(value)),
  'date-time': (value) => !Number.isNaN(Date.parse(value)),
};
const UNCHECKED = ['http-method', 'int64', 'uri-map', 'phone-number-capabilities', 'currency'];

/**
 * Checks requests and responses against the part of Twilio's OpenAPI document that the product uses
 * (twilio-openapi.json, from github.com/twilio/twilio-oai, MIT).
 */
export function createTwilioCheck() {
  const file = readFileSync(new URL('twilio-openapi.json', import.meta.url), 'utf8');
  const document = JSON.parse(file) as Document;
  const ajv = new Ajv({ strict: false, coerceTypes: true, allErrors: true });
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  for (const name of UNCHECKED) ajv.addFormat(name, true);
  ajv.addSchema(document, 'twilio');
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"twilio#/components/');
    const known = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, known);
    return known;
  };
  const findProblem = (schema: object, value: unknown) => {
    const validate = compile(schema);
    // Coercion changes the value.
    return validate(structuredClone(value)) ? null : ajv.errorsText(validate.errors);
  };

  function findOperation({ method, pathname }: Sent): Operation | undefined {
    const template = Object.keys(document.paths).find((path) =>
      new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+?')}$`).test(pathname),
    );
    return template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  }

  return {
    /** Returns what is wrong with a request, or null. */
    request(sent: Sent & { query: URLSearchParams; form: object | null }): string | null {
      const operation = findOperation(sent);
      if (!operation) return 'there is no such operation';
      const { parameters = [], requestBody } = operation;
      const query = parameters.filter((one) => one.in === 'query');
      const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
      const wanted = { type: 'object', properties, additionalProperties: false };
      const problem = findProblem(wanted, Object.fromEntries(sent.query));
      if (problem || sent.form === null) return problem;
      const schema = requestBody?.content['application/x-www-form-urlencoded']?.schema;
      if (!schema) return 'the operation takes no form';
      return findProblem({ ...schema, additionalProperties: false }, sent.form);
    },
    /** Adds what is wrong with a response of the fake. */
    response(
      { status, content, ...sent }: Sent & { status: number; content: object },
      problems: string[],
    ): void {
      const schema = findOperation(sent)?.responses[String(status)]?.content['application/json']?.schema;
      const problem = schema ? findProblem(schema, content) : `has no response ${status}`;
      if (problem) problems.push(`response to ${sent.method} ${sent.pathname}: ${problem}`);
    },
  };
}
