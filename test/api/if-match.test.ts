import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { recordKinds } from '../support/record-kinds.ts';
import type { RecordKind } from '../support/record-kinds.ts';
import { createRecordHelpers } from '../support/records.ts';

const AT_ONCE = 8;

/** Spec 2.6, `If-Match`: a change applies only to the version that its caller read. */
describe('a change with If-Match', () => {
  let product: Product;
  let callers: [ApiClient, ApiClient];
  let kinds: RecordKind[];
  const { make } = createRecordHelpers(() => product);

  beforeAll(async () => {
    product = await sharedApi('if_match');
    const second = await secondSharedApi();
    callers = [product.admin, client(second.base, product.token)];
    kinds = await recordKinds(product);
  });
  afterAll(() => product.close());

  const tagOf = async (path: string, headers = {}) =>
    (await product.admin.request('GET', path, undefined, headers)).headers.get('etag') ?? 'none';
  const patchIf = (path: string, body: object, tag: string, caller = product.admin) =>
    caller.request('PATCH', path, body, { 'If-Match': tag });
  const removeIf = (path: string, tag: string) =>
    product.admin.request('DELETE', path, undefined, { 'If-Match': tag });
  const shown = async (path: string) => (await product.admin.get(path)).body;
  const newAt = async ({ path, body }: RecordKind) => `${path}/${(await make(path, body)).id}`;

  test('a change with If-Match succeeds with the current tag and fails with an older tag', async () => {
    for (const kind of kinds) {
      const at = await newAt(kind);
      const before = await tagOf(at);
      const changed = await patchIf(at, kind.patch, before);
      expect([kind.path, changed.status]).toEqual([kind.path, 200]);
      const after = await shown(at);
      const late = await patchIf(at, kind.body, before);
      expect([kind.path, late.status, late.body.code]).toEqual([kind.path, 412, 'precondition_failed']);
      expect(await shown(at), kind.path).toEqual(after);
      const next = await patchIf(at, kind.patch, changed.headers.get('etag') ?? '');
      expect([kind.path, next.status]).toEqual([kind.path, 200]);
    }
  });

  test('a deletion with If-Match succeeds with the current tag and keeps a record that has changed', async () => {
    for (const kind of kinds) {
      const at = await newAt(kind);
      const before = await tagOf(at);
      expect((await patchIf(at, kind.patch, '*')).status, kind.path).toBe(200);
      const late = await removeIf(at, before);
      expect([kind.path, late.status, late.body.code]).toEqual([kind.path, 412, 'precondition_failed']);
      expect((await product.admin.get(at)).status, kind.path).toBe(200);
      expect((await removeIf(at, await tagOf(at))).status, kind.path).toBe(204);
      expect((await removeIf(at, '*')).status, kind.path).toBe(404);
    }
  });

  test('exactly one of several concurrent changes with the same If-Match tag succeeds, also across processes', async () => {
    for (const kind of kinds) {
      const at = await newAt(kind);
      for (let round = 0; round < 3; round += 1) {
        const tag = await tagOf(at);
        const field = Object.keys(kind.patch)[0] ?? '';
        const bodies = Array.from({ length: AT_ONCE }, (_, n) => ({
          ...kind.patch,
          meta: { n },
          [field]: textOf(kind, n),
        }));
        const answers = await Promise.all(bodies.map((body, n) => patchIf(at, body, tag, callers[n % 2])));
        const statuses = answers.map(({ status }) => status).sort();
        expect([kind.path, statuses]).toEqual([kind.path, [200, ...Array<number>(AT_ONCE - 1).fill(412)]]);
        const won = answers.findIndex(({ status }) => status === 200);
        expect(await shown(at), kind.path).toEqual(answers[won]?.body);
      }
    }
  });

  /** Returns a new value for the field that the PATCH of this kind changes. */
  function textOf({ patch }: RecordKind, n: number): unknown {
    const [value] = Object.values(patch) as unknown[];
    return typeof value === 'string' ? `${value}${n}` : { n };
  }

  test('a change with If-Match fails if, since the tag was read, a field message changed the record or the delayed message was processed', async () => {
    const { id, contact } = await make('/conversations', {
      organization: product.organization,
      contact: { profile: { email: 'between@example.com' } },
      messages: [{ text: 'hello' }],
    });
    const conversation = await tagOf(`/conversations/${id}`);
    const person = await tagOf(`/contacts/${contact}`);
    await make('/messages', { conversation: id, type: 'field', text: '.givenName Ada' });
    expect((await patchIf(`/conversations/${id}`, { name: 'x' }, conversation)).status).toBe(412);
    expect((await patchIf(`/contacts/${contact}`, { meta: {} }, person)).status).toBe(412);
    expect((await removeIf(`/contacts/${contact}`, person)).status).toBe(412);
    expect((await removeIf(`/conversations/${id}`, conversation)).status).toBe(412);
    const later = await make('/messages', { conversation: id, text: 'later', delay: 600_000 });
    const waiting = await tagOf(`/messages/${later.id}`);
    await product.admin.post(`/conversations/${id}/hurry`, {});
    await eventually(async () => (await shown(`/messages/${later.id}`)).sequence !== undefined);
    expect((await patchIf(`/messages/${later.id}`, { text: 'x' }, waiting)).status).toBe(412);
    expect((await removeIf(`/messages/${later.id}`, waiting)).status).toBe(412);
    expect((await removeIf(`/contacts/${contact}`, await tagOf(`/contacts/${contact}`))).status).toBe(204);
    expect((await product.admin.get(`/conversations/${id}`)).status).toBe(404);
  });

  test('a message can be changed with If-Match while other messages are posted to the conversation', async () => {
    const { id: conversation } = await make('/conversations', {});
    const { id } = await make('/messages', { conversation, text: 'first' });
    const tag = await tagOf(`/messages/${id}`);
    const talk = Promise.all(
      Array.from({ length: 20 }, (_, n) => make('/messages', { conversation, text: `${n}` })),
    );
    const [edited] = await Promise.all([patchIf(`/messages/${id}`, { text: 'edited' }, tag), talk]);
    expect(edited.status).toBe(200);
  });

  test('a change with If-Match accepts the tag of every coding, also as a weak tag, and rejects malformed tags', async () => {
    const { id } = await make('/kbitems', { title: 'forms', content: 'a long text '.repeat(200) });
    const at = `/kbitems/${id}`;
    const change = async (tag: string) => (await patchIf(at, { title: 'forms' }, tag)).status;
    for (const coding of ['identity', 'gzip', 'br']) {
      expect(await change(await tagOf(at, { 'Accept-Encoding': coding })), coding).toBe(200);
    }
    expect(await change(`"other", ${await tagOf(at)}`)).toBe(200);
    expect(await change(`W/${await tagOf(at)}`)).toBe(200);
    expect(await change(await tagOf(`${at}?select=title`))).toBe(412);
    for (const other of ['"other"', 'W/"other"']) expect(await change(other), other).toBe(412);
    const unquoted = (await tagOf(at)).slice(1, -1);
    for (const malformed of [unquoted, '', ' ', '"', ',', '**']) {
      expect(await change(malformed), malformed).toBe(400);
    }
  });

  test('a change with If-Match to an absent or invisible record is 404', async () => {
    const other = await make('/organizations', { name: 'Other' });
    const stranger = await newUser(product, { role: 'admin', organization: other.id });
    const { id } = await make('/kbitems', { title: 'mine' });
    const tag = await tagOf(`/kbitems/${id}`);
    expect((await patchIf(`/kbitems/${id}`, { title: 'x' }, tag, stranger)).status).toBe(404);
    expect((await patchIf('/kbitems/ffffffffffffffffffffffff', { title: 'x' }, tag)).status).toBe(404);
  });

  test('If-Match also applies to the expression of an event type, and fails with a tag, but not with *, for an API key, which has no tag', async () => {
    const { id } = await make('/eventtypes', { name: 'tagged' });
    const put = (tag: string) =>
      product.admin.request('PUT', `/eventtypes/${id}/jsonata`, '$', {
        'Content-Type': 'text/plain',
        'If-Match': tag,
      });
    const tag = await tagOf(`/eventtypes/${id}`);
    expect([(await put(tag)).status, (await put(tag)).status]).toEqual([200, 412]);
    const bot = await newUser(product, { role: 'bot' });
    expect((await removeIf(`/users/${bot.user}/apikeys/${bot.key}`, tag)).status).toBe(412);
    expect((await removeIf(`/users/${bot.user}/apikeys/${bot.key}`, '*')).status).toBe(204);
  });

  test('the tests of If-Match cover every PATCH and DELETE route of a record with a tag', () => {
    const changing = ROUTES.filter(({ method }) => ['PATCH', 'DELETE'].includes(method)).map(
      ({ path }) => path,
    );
    const known = kinds.map(({ path }) => `${path}/:id`);
    const tagless = [
      ...['/users/me/otp', '/users/:id/otp', '/users/:id/apikeys/:key'],
      ...['/organizations/:id/widget/secret', '/eventtypes/:id/ingest', '/contacts/:id/notes/:note'],
    ];
    // test/api/contact-notes.test.ts
    known.push('/contacts/:id/profile');
    expect(changing.filter((path) => ![...known, ...tagless].includes(path))).toEqual([]);
  });

  test('a change with If-Match that fails leaves the record unchanged', async () => {
    const { id } = await make('/conversations', {});
    const before = await shown(`/conversations/${id}`);
    await patchIf(`/conversations/${id}`, { name: 'x' }, '"other"');
    expect(await shown(`/conversations/${id}`)).toEqual(before);
  });
});
