import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { assertDescribed } from '../support/described.ts';
import type { Product } from '../support/product.ts';

interface Operation {
  summary: string;
  security?: Record<string, string[]>[];
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: {
    description?: string;
    content: Record<string, { examples: Record<string, { value: unknown }> }>;
  };
  responses: Record<string, { content?: Record<string, { example: unknown }> }>;
}

interface Shape {
  required?: string[];
  properties?: Record<string, { format?: string; examples?: unknown[] }>;
  oneOf?: { $ref: string }[];
}

interface Lint {
  totals: { warnings: number };
  problems: { ruleId: string; message: string }[];
}

/** The API description: /openapi.json. */
describe('the API description', () => {
  let product: Product;
  let text: string;
  let operations: [string, Operation][];

  beforeAll(async () => {
    product = await sharedApi('openapi');
    text = await (await fetch(`${product.origin}/openapi.json`)).text();
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as [string, Operation],
      ),
    );
  });
  afterAll(() => product.close());

  test('the API description passes redocly lint, and its examples match its schemas', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, text);
    const cli = join(
      dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
      'bin/cli.js',
    );
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [cli, 'lint', file, '--extends', 'recommended-strict', '--format', 'json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...quiet },
    }).catch((error: unknown) => error as { stdout: string });
    await rm(folder, { recursive: true });
    const { totals, problems } = JSON.parse(stdout) as Lint;
    // An id has 24 hexadecimal digits, so `by-name` is not an id.
    const others = problems.filter(
      ({ ruleId, message }) =>
        ruleId !== 'no-ambiguous-paths' || !message.includes('/eventtypes/by-name/{name}'),
    );
    expect([totals.warnings, others]).toEqual([0, []]);
  });

  test('the API description has an example for every request body and every successful response body', () => {
    const without = operations.filter(([, { requestBody, responses }]) => {
      const taken = Object.values(requestBody?.content ?? {});
      const given = Object.entries(responses)
        .filter(([status]) => Number(status) < 300)
        .flatMap(([, { content }]) => Object.values(content ?? {}));
      return (
        taken.some(({ examples }) => Object.keys(examples).length === 0) ||
        given.some((one) => !('example' in one))
      );
    });
    expect(without.map(([name]) => name)).toEqual([]);
    expect(operations.length).toBeGreaterThan(25);
  });

  test('the API description requires the fields that every record has', () => {
    const { schemas } = (JSON.parse(text) as { components: { schemas: Record<string, Shape> } }).components;
    const required = (name: string) => schemas[name]?.required ?? [];
    const message = ['id', 'conversation', 'text', 'type', 'isBackchannel', 'createdBy', 'createdAt'];
    const forms = schemas['Message']?.oneOf?.map(({ $ref }) => $ref.split('/').pop() ?? '') ?? [];
    expect(forms).toHaveLength(12);
    for (const form of ['Message', ...forms, 'TimelineMessage']) {
      expect([form, ...required(form)]).toEqual(expect.arrayContaining([form, ...message]));
    }
    expect(required('Conversation')).toEqual(
      expect.arrayContaining(['id', 'type', 'status', 'meta', 'createdBy']),
    );
    expect(required('Organization')).toEqual(
      expect.arrayContaining(['categories', 'tags', 'settings', 'meta']),
    );
    expect(required('Service')).toContain('organization');
  });

  test('the API description declares the format of every time', () => {
    const { schemas } = (JSON.parse(text) as { components: { schemas: Record<string, Shape> } }).components;
    const times = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { examples }]) => /^\d{4}-\d{2}-\d{2}T/.test(String(examples?.[0])))
        .map(([field, { format }]) => ({ field: `${name}.${field}`, format })),
    );
    expect(times.map(({ field }) => field)).toContain('ReplayInput.since');
    expect(times.filter(({ format }) => format !== 'date-time')).toEqual([]);
  });

  test('the API description names every content type of an event body', () => {
    const { requestBody } = Object.fromEntries(operations)['POST /events/{name}'] ?? {};
    const types = ['text/json', '+json', 'text/plain', 'application/octet-stream', 'no type', 'ce-'];
    for (const type of types) expect(requestBody?.description).toContain(type);
  });

  test('the API description names list parameters and request headers', () => {
    const parameters = (name: string) =>
      Object.fromEntries(operations)[name]?.parameters.map((one) => one.name ?? one.$ref?.split('/').pop());
    expect(parameters('GET /conversations')).toEqual(
      expect.arrayContaining([
        'limit',
        'offset',
        'sort',
        'select',
        'populate',
        'status',
        'participants.user',
      ]),
    );
    expect(parameters('GET /services')).toContain('params.url');
    expect(parameters('GET /services'), 'nobody searches for secrets').not.toContain('params.secret');
    expect(parameters('GET /users')).toEqual(expect.arrayContaining(['name', 'settings']));
    const names = operations.flatMap(([, one]) => one.parameters.map(({ name }) => name));
    const placeholders = ['meta.key', 'settings.key', 'touchpoints.key', 'forms.values.key'];
    for (const name of placeholders)
      expect(names, 'a client would send meta_key as it is').not.toContain(name);
    expect(Object.fromEntries(operations)['GET /conversations']).toMatchObject({
      description: expect.stringContaining('`meta.key=value`'),
      'x-free-form-filters': expect.arrayContaining(['meta', 'forms.values']),
    });
    expect(parameters('GET /deliveries')).toEqual(expect.arrayContaining(['event', 'status']));
    const ofSearch = ['q', 'limit', 'offset', 'select', 'populate'];
    expect(parameters('GET /conversations/search')).toEqual(ofSearch);
    expect(parameters('GET /messages/search')).toEqual(['q', 'conversation', ...ofSearch.slice(1)]);
    expect(parameters('POST /messages')).toContain('idempotencyKey');
    expect(parameters('GET /auth/token')).toEqual(['refreshToken']);
  });

  test('the API description declares the authentication of every operation, also of /users/me', () => {
    const security = Object.fromEntries(operations.map(([name, one]) => [name, one.security]));
    const open = ['POST /auth/token', 'PUT /auth/password', 'POST /auth/password-reset'];
    const others = Object.fromEntries(Object.entries(security).filter(([name]) => !open.includes(name)));
    expect(open.map((name) => security[name])).toEqual([[], [], []]);
    expect(Object.values(others).filter((one) => one?.[0]?.['bearer'] === undefined)).toEqual([]);
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(['GET /users/me', 'PATCH /users/me', 'POST /users/me/otp', 'POST /auth/logout']),
    );
  });

  test('the check of a response against the API description accepts a described response and rejects a wrong status, header, body or path', async () => {
    const { status, headers, body } = await product.admin.get('/users/me');
    const exchange = { method: 'GET', path: '/users/me', status, headers, body };
    await assertDescribed(product.base, exchange);
    const wrong = [
      { ...exchange, status: 202 },
      { ...exchange, headers: new Headers({ 'content-type': 'application/json' }) },
      { ...exchange, body: { ...body, passwordHash: 'x' } },
      { ...exchange, body: { ...body, id: 7 } },
      { ...exchange, body: { id: body.id } },
      { ...exchange, path: '/nowhere' },
      { ...exchange, status: 404, body: { message: 'gone' } },
    ];
    for (const one of wrong) {
      await expect(assertDescribed(product.base, one), JSON.stringify(one)).rejects.toThrow(
        'does not describe',
      );
    }
  });

  test('the API description declares the actual status codes of refusals', async () => {
    const anonymous = client(product.base);
    expect((await anonymous.get('/users/me')).status).toBe(401);
    expect((await anonymous.post('/auth/token', '{')).status).toBe(400);
    expect((await product.admin.request('PUT', '/users')).status).toBe(405);
  });
});
