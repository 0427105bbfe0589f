import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 9. */
describe('a list', () => {
  let product: Product;
  let team: string;

  beforeAll(async () => {
    product = await sharedApi('listing');
    team = (await product.admin.post('/organizations', { name: 'team' })).body.id;
    for (let n = 0; n < 7; n += 1) {
      const fields = { role: n % 2 ? 'agent' : 'bot', givenName: `N${6 - n}`, meta: { n, word: `w${n}` } };
      await product.admin.post('/users', { organization: team, ...fields });
    }
  });
  afterAll(() => product.close());

  const list = (query: string) => product.admin.get(`/users?organization=${team}&${query}`);
  const names = async (query: string) =>
    ((await list(query)).body as { givenName: string }[]).map(({ givenName }) => givenName).join(' ');
  const rels = (link: string | null) =>
    [...(link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', rel]) => [
      rel,
      new URL(url).searchParams.get('offset'),
    ]);

  test('a list is sorted by id and has paging headers', async () => {
    const { headers, body } = await list('limit=3');
    expect(body).toHaveLength(3);
    expect(await names('limit=3')).toBe('N6 N5 N4');
    const paging = ['x-total', 'x-total-pages', 'x-per-page', 'x-page', 'x-range'].map((name) =>
      headers.get(name),
    );
    expect(paging).toEqual(['7', '3', '3', '1', '0-2']);
    expect(rels(headers.get('link'))).toEqual([
      ['next', '3'],
      ['last', '6'],
    ]);
  });

  test('a list links to the first, previous, next and last page, where these exist', async () => {
    const middle = (await list('limit=3&offset=3')).headers;
    expect(rels(middle.get('link'))).toEqual([
      ['first', '0'],
      ['prev', '0'],
      ['next', '6'],
      ['last', '6'],
    ]);
    const last = (await list('limit=3&offset=6')).headers;
    expect(rels(last.get('link'))).toEqual([
      ['first', '0'],
      ['prev', '3'],
    ]);
    expect([last.get('x-page'), last.get('x-range')]).toEqual(['3', '6-6']);
  });

  test('a list keeps other parameters percent-encoded in its links', async () => {
    const link = (await list('limit=3&sort=-role,givenName')).headers.get('link') ?? '';
    expect(link).toContain(
      `${product.base}/users?organization=${team}&limit=3&sort=-role%2CgivenName&offset=3`,
    );
  });

  test('a list has the X-Range * when it is empty or the offset is past its end', async () => {
    const empty = (await list('role=admin')).headers;
    expect(['x-total', 'x-total-pages', 'x-page', 'x-range'].map((name) => empty.get(name))).toEqual([
      '0',
      '0',
      '1',
      '*',
    ]);
    expect(empty.get('link')).toBeNull();
    expect((await list('offset=100')).headers.get('x-range')).toBe('*');
  });

  test('a list is sorted by several fields, also descending', async () => {
    expect(await names('sort=givenName')).toBe('N0 N1 N2 N3 N4 N5 N6');
    expect(await names('sort=role,-givenName')).toBe('N5 N3 N1 N6 N4 N2 N0');
  });

  test('a list can be filtered by the value, the presence and the absence of a field', async () => {
    expect(await names('role=agent')).toBe('N5 N3 N1');
    expect(await names('meta.n=3')).toBe('N3');
    expect(await names('meta.word=w3&role=agent')).toBe('N3');
    expect(await names('givenName=')).toBe('N6 N5 N4 N3 N2 N1 N0');
    expect(await names('avatar=')).toBe('');
    expect(await names('avatar=!&givenName=N2')).toBe('N2');
  });

  test('a list filters with comparisons, sets, patterns and several fields', async () => {
    expect(await names('givenName=!=N3')).toBe('N6 N5 N4 N2 N1 N0');
    expect(await names('givenName=[N1,N2]')).toBe('N2 N1');
    expect(await names('givenName=![N1,N2]')).toBe('N6 N5 N4 N3 N0');
    expect(await names('meta.n=>2,<=4')).toBe('N3 N2');
    expect(await names('givenName=>=N5')).toBe('N6 N5');
    expect(await names('givenName=~[12]$')).toBe('N2 N1');
    expect(await names('givenName,meta.word=n3|W6')).toBe('N3 N0');
  });

  test.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'limit=1.5',
    'offset=-1',
    'offset=1001',
    'sort=nothing',
    'sort=id,role,email,status,avatar',
    'sort=',
    'nothing=1',
    'passwordHash=x',
    'sort=passwordHash',
    'password=x',
    'role=king',
    'role=agent&role=bot',
    'createdAt=yesterday',
    'givenName={a=b}',
    'givenName=[N1',
    'givenName=!N1',
    'givenName==N1',
    'createdAt=>',
    'meta.n=>1,>2',
    'role=[agent,king]',
    'meta.$where=1',
    'meta.__proto__=1',
    '__proto__=1',
    'constructor=1',
    'givenName[$ne]=1',
    '%E0%A4%A=1',
    'givenName=%00',
  ])('a list rejects %s with 400', async (query) => {
    const { status, body } = await list(query);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });

  test('a list of conversations requires a filter other than meta', async () => {
    expect((await product.admin.get('/conversations?meta.a=1')).status).toBe(400);
    expect((await product.admin.get('/conversations?meta.a=1&status=queued')).status).toBe(200);
  });
});
