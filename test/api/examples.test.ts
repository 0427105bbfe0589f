import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_IDS } from '../../schema/kinds.ts';
import { openApi } from '../../api/docs/openapi.ts';
import { ROUTES } from '../../api/routes.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { seededExamples } from '../support/example-records.ts';
import { ownApi } from '../support/shared-servers.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
}

interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

interface Example {
  title: string;
  id: string;
  method: string;
  path: string;
  query: string;
  body?: unknown;
  type?: string;
}

const document = JSON.parse(JSON.stringify(openApi(ROUTES, 'https://chat.parlance.test'))) as Document;
const ADA = { email: 'ada@example.com', password: 'correct horse battery' };

/** All examples. Deletions come last, because other examples use the records. */
const examples = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => examplesOf(operation, { method, path })),
  )
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

function examplesOf(
  operation: Operation,
  { method, path: template }: { method: string; path: string },
): Example[] {
  const { operationId: id, parameters, requestBody } = operation;
  const all = parameters.map(({ $ref, ...one }) =>
    $ref === undefined ? one : document.components.parameters[$ref.split('/').pop() ?? '']!,
  );
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(all.find((one) => one.in === 'path' && one.name === name)?.example)),
  );
  const needed = all.filter((one) => one.in === 'query' && one.required);
  const further = all.filter((one) => one.in === 'query' && !one.required);
  const base = { id, method: method.toUpperCase(), path };
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples: named }]) =>
    Object.entries(named).map(([name, { value }]) => ({ name, type, body: value })),
  );
  const plain: Example[] = (bodies.length > 0 ? bodies : [{ name: '' }]).map(({ name, ...sent }) => ({
    ...base,
    ...sent,
    title: `${id} ${name}`,
    query: queryOf(needed, id),
  }));
  const [{ type, body } = {}] = bodies;
  const queried = further.map((one) => ({
    ...base,
    ...(type === undefined ? {} : { type, body }),
    title: `${id} ?${one.name}=${String(one.example)}`,
    query: queryOf([...needed, one], id),
  }));
  return [...plain, ...queried];
}

/** Builds the query and adds the filters that some lists require. */
function queryOf(parameters: Parameter[], id: string): string {
  const pairs = parameters.map(({ name, example }): [string, string] => [name, String(example)]);
  const names = parameters.map(({ name }) => name);
  if (id === 'listMessages' && !names.includes('conversation'))
    pairs.push(['conversation', EXAMPLE_IDS.conversations]);
  if (id === 'listConversations' && names.some((name) => name.startsWith('meta')))
    pairs.push(['status', 'queued']);
  if (id === 'uploadFile' && !names.includes('conversation'))
    pairs.push(['conversation', EXAMPLE_IDS.conversations]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
}

/**
 * Sends every example of the API description to a new product that has the required records. Only
 * ids, an email, tokens and one-time passwords are replaced by real values.
 */
describe('every example of the API description', () => {
  let product: Product;
  let receiver: Receiver;
  let ids: [string, string][];
  let doomed: Record<string, string>;

  beforeAll(async () => {
    // Nothing listens there: the response does not depend on the mail.
    const mail = { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'accounts@example.com' };
    product = await ownApi('api-examples', mail);
    receiver = await startReceiver();
    const made = await seededExamples(product, receiver, ADA);
    ({ doomed } = made);
    // Replaces the longest ids first, because a delivery id contains other ids.
    ids = Object.entries(made.ids)
      .map(([name, id]): [string, string] => [EXAMPLE_IDS[name as keyof typeof EXAMPLE_IDS], id])
      // Other test files create a user with the example's email.
      .concat([['grace@example.com', 'grace@api-examples.example.com']])
      .sort(([a], [b]) => b.length - a.length);
  });
  afterAll(async () => {
    await product.close();
    await receiver.close();
  });

  const real = (text: string) =>
    ids.reduce(
      (all, [shown, id]) =>
        all.replaceAll(shown, id).replaceAll(encodeURIComponent(shown), encodeURIComponent(id)),
      text,
    );

  /**
   * Returns the caller, the body and the URL, with real tokens and one-time passwords filled in.
   */
  async function asked({
    id,
    body,
    path,
    query,
  }: Example): Promise<{ caller: ApiClient; body: unknown; url: string }> {
    const url = real(`${path}${query}`);
    const session = async () => {
      const { body: user } = await product.admin.post('/users', { role: 'agent', password: ADA.password });
      return signIn(product.base, { email: user.email, password: ADA.password });
    };
    if (id === 'createToken' && 'refreshToken' in (body as object)) {
      const { refreshToken } = await signIn(product.base, ADA);
      return { caller: client(product.base), body: { ...(body as object), refreshToken }, url };
    }
    if (id === 'hurryMessages') {
      const delayed = { conversation: real(EXAMPLE_IDS.conversations), text: 'Later', delay: 600_000 };
      ids.unshift([EXAMPLE_IDS.waiting, (await product.admin.post('/messages', delayed)).body.id as string]);
    }
    if (id === 'mergeContacts') {
      const { body: duplicate } = await product.admin.post('/contacts', {});
      ids.unshift([EXAMPLE_IDS.duplicates, duplicate.id as string]);
    }
    if (id === 'receiveInbound' || id === 'receiveReceipts') {
      const params = { url: receiver.url, secret: 'whsec_' + 'c2VjcmV0'.repeat(4), touchpoint: 'sms' };
      const channel = await product.admin.post('/services', { name: 'channel', type: 'api', params });
      return {
        caller: product.admin,
        body: JSON.parse(real(JSON.stringify(body))),
        url: url.replace(real(EXAMPLE_IDS.services), channel.body.id),
      };
    }
    if (id === 'getWidgetSecret') await product.admin.post(url);
    if (id === 'getIngestAddress') {
      await product.admin.post(url, { user: real(EXAMPLE_IDS.bots) });
      return { caller: product.admin, body, url };
    }
    if (id === 'deleteUserOtp') {
      const { token, user } = await session();
      const caller = client(product.base, token);
      await caller.request('PUT', '/users/me/otp', await otpBody('confirmOtp', { caller, body }));
      return { caller: product.admin, body, url: `/users/${user}/otp` };
    }
    if (id === 'setPassword') {
      const { body: user } = await product.admin.post('/users', { role: 'agent' });
      const link = await product.admin.post(`/users/${user.id}/password-link`);
      const token = link.body.url.split('#/password/')[1] as string;
      return { caller: client(product.base), body: { ...(body as object), token }, url };
    }
    if (id === 'createToken') return { caller: client(product.base), body, url };
    if (id === 'refreshToken') {
      const { token, refreshToken } = await session();
      return { caller: client(product.base, token), body, url: `${path}?refreshToken=${refreshToken}` };
    }
    if (['logout', 'updateMe', 'createOtp', 'confirmOtp', 'deleteOtp'].includes(id)) {
      const caller = client(product.base, (await session()).token);
      return { caller, body: await otpBody(id, { caller, body }), url };
    }
    const [, resource = '', ...others] = path.split('/');
    const isDeletion = id.startsWith('delete') && others.length === 1;
    return {
      caller: product.admin,
      body: body === undefined ? undefined : (JSON.parse(real(JSON.stringify(body))) as unknown),
      url: isDeletion ? `/${resource}/${doomed[resource] ?? ''}` : url,
    };
  }

  test.each(examples)('an example of the API description succeeds as described: $title', async (example) => {
    if (example.id === 'streamConversation') {
      const { url } = await asked(example);
      const stream = await fetch(`${product.base}${url}`, {
        headers: { Authorization: `Bearer ${product.token}` },
      });
      expect([stream.status, stream.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/event-stream'),
      ]);
      await stream.body?.cancel();
      return;
    }
    const { caller, body, url } = await asked(example);
    const boundary = example.type === FORM ? `; boundary=${BOUNDARY}` : '';
    const headers: Record<string, string> =
      example.type === undefined ? {} : { 'Content-Type': `${example.type}${boundary}` };
    const answer = await caller.request(example.method, url, encoded(body, example), headers);
    expect([answer.status, answer.body?.message], JSON.stringify({ url, body })).toEqual([
      expect.toSatisfy((status: number) => status < 300),
      undefined,
    ]);
    expect(answer.headers.get('x-ignored-fields')).toBeNull();
  });

  test('the API description has more than 300 examples', () => {
    expect(examples.length).toBeGreaterThan(300);
  });
});

const FORM = 'multipart/form-data';
const BOUNDARY = 'end-of-part';

function encoded(body: unknown, { type = '' }: Example): unknown {
  if (type === FORM) return encodeForm(body as Record<string, string>);
  return type.includes('urlencoded') ? new URLSearchParams(body as Record<string, string>).toString() : body;
}

function encodeForm({ file, ...fields }: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  parts.push(`Content-Disposition: form-data; name="file"; filename="invoice.pdf"\r\n\r\n${file}`);
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
}

async function otpBody(id: string, { caller, body }: { caller: ApiClient; body: unknown }): Promise<unknown> {
  if (!['confirmOtp', 'deleteOtp'].includes(id)) return body;
  const { secret } = (await caller.post('/users/me/otp', { currentPassword: ADA.password })).body;
  const phone = new TOTP({ secret: Secret.fromBase32(secret) });
  const otp = phone.generate();
  if (id === 'confirmOtp') return { otp };
  // A code can be used only once, so the deletion needs the code of the next period.
  const next = phone.generate({ timestamp: Date.now() + 30_000 });
  await caller.request('PUT', '/users/me/otp', { otp });
  return { otp: next };
}
