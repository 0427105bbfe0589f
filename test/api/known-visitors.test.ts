import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '../support/product.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { newWidget, findRecords, postAsVisitor, signText, start } from '../support/website.ts';

const SITE = 'https://shop.example';

let product: Product;
let second: string;

beforeAll(async () => {
  product = await sharedApi('known_visitors');
  second = new URL((await secondSharedApi()).base).origin;
});
afterAll(() => product.close());

const begin = async (organization: string, visitor: object) =>
  start(product.origin, organization, { from: SITE, visitor });

describe('a visitor whom the website identifies', () => {
  const secretOf = async (id: string) =>
    (await product.admin.post(`/organizations/${id}/widget/secret`)).body.secret as string;

  test('a visitor whom the website identifies continues their conversation only with a valid signature', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const secret = await secretOf(shop.id);
    const email = 'Ada@Shop.example';
    const visitor = { email, name: 'Ada', signature: signText(secret, email) };
    const first = await begin(shop.id, visitor);
    expect(first.status).toBe(200);
    expect(await findRecords(product.admin, shop.id)).toEqual({ conversations: [], contacts: [] });
    const again = await begin(shop.id, visitor);
    const said = await Promise.all(
      [first, again, first, again].map(({ slug }, at) =>
        postAsVisitor(at % 2 ? second : product.origin, slug, { key: `k${at}`, text: `said ${at}` }),
      ),
    );
    expect(said.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { conversations, contacts } = await findRecords(product.admin, shop.id);
    expect([conversations.length, contacts.length]).toEqual([1, 1]);
    expect(contacts[0].profile).toEqual({ email: 'ada@shop.example', name: 'Ada' });
    expect(conversations[0].participants).toEqual([]);
    expect((await begin(shop.id, visitor)).slug).toBe(conversations[0].slug);
    // The name is not signed, so a different name changes nothing.
    expect((await begin(shop.id, { ...visitor, name: 'Eve' })).slug).toBe(conversations[0].slug);
    for (const wrong of [
      { email },
      { email, signature: ''.padEnd(64, '0') },
      { email: 'eve@shop.example', signature: visitor.signature },
      { email: email.toLowerCase(), signature: visitor.signature },
      { telephone: '+31612345678', signature: signText('other', '+31612345678') },
    ]) {
      const { status, slug } = await begin(shop.id, wrong);
      expect([status, slug], JSON.stringify(wrong)).toEqual([401, '']);
    }
    expect((await begin(shop.id, { signature: visitor.signature })).status).toBe(400);
    expect((await begin(shop.id, { ...visitor, telephone: '+31612345678' })).status).toBe(400);
    expect((await findRecords(product.admin, shop.id)).contacts).toHaveLength(1);
  });

  test('a visitor whom the website identifies is matched by telephone with a contact that an upsert created', async () => {
    const shop = await newWidget(product, { origins: [SITE] }, { country: 'NL' });
    const secret = await secretOf(shop.id);
    const made = await product.admin.post('/conversations', {
      organization: shop.id,
      contact: { profile: { telephone: '+31612345678', name: 'Bea' } },
      messages: [{ type: 'chat', text: 'Hello' }],
    });
    const signedAs = async (identifier: object) => {
      const [text = ''] = Object.values(identifier) as string[];
      return begin(shop.id, { ...identifier, signature: signText(secret, text) });
    };
    expect((await signedAs({ telephone: '+31612345678' })).slug).toBe(made.body.slug);
    expect((await signedAs({ telephone: '12' })).status).toBe(422);
  });

  test.each([
    ['email', '\u212Aate@shop.example'],
    ['email', '\u00a0kate@shop.example'],
    ['email', '\ufeffkate@shop.example'],
    ['email', 'kate@shop.example\n'],
    ['email', 'kate@shop.example\u2028'],
    ['email', 'kate@shop\u00ad.example'],
    ['email', 'mailto:kate@shop.example'],
    ['email', 'kate@\uff53hop.example'],
    ['email', 'kate@shop.example.'],
    ['email', 'kate@xn--SHOP-.example'],
    ['telephone', '0612345678'],
    ['telephone', 'call me at +31612345678 please'],
    ['telephone', '+31612345678 ext 5'],
    ['telephone', 'tel:+31612345678'],
    ['telephone', '+31 6 12345678'],
    ['telephone', ' +31612345678'],
    ['telephone', '+31\u0666\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668'],
    ['telephone', '00 31612345678'],
  ])(
    'a visitor whom the website identifies cannot pass as another contact with a signed %s spelled %j',
    async (field, text) => {
      const shop = await newWidget(product, { origins: [SITE] }, { country: 'NL' });
      const secret = await secretOf(shop.id);
      const answer = await begin(shop.id, { [field]: text, signature: signText(secret, text) });
      expect([400, 422]).toContain(answer.status);
    },
  );

  test('a visitor whom the website identifies by a telephone number of Argentina is not matched with a contact whose number differs only by the 9 after +54', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const secret = await secretOf(shop.id);
    const made = await product.admin.post('/conversations', {
      organization: shop.id,
      contact: { profile: { telephone: '+5491123456789' } },
      messages: [{ text: 'Hello' }],
    });
    const slugOf = async (telephone: string) =>
      (await begin(shop.id, { telephone, signature: signText(secret, telephone) })).slug;
    expect(await slugOf('+5491123456789')).toBe(made.body.slug);
    const other = await slugOf('+541123456789');
    expect((await postAsVisitor(product.origin, other, { key: 'k', text: 'another' })).status).toBe(201);
    expect((await findRecords(product.admin, shop.id)).contacts).toHaveLength(2);
  });

  test('a visitor whom the website identifies is accepted with the current and with the replaced secret, and with neither after the secret is deleted', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const path = `/organizations/${shop.id}/widget/secret`;
    expect((await product.admin.get(path)).status).toBe(404);
    expect(
      (await begin(shop.id, { email: 'a@b.example', signature: signText('', 'a@b.example') })).status,
    ).toBe(401);
    const old = await secretOf(shop.id);
    const fresh = await secretOf(shop.id);
    expect(fresh).not.toBe(old);
    const shown = await product.admin.get(path);
    expect(JSON.stringify(shown.body)).not.toContain(fresh);
    expect(shown.body.formerUntil).toBeDefined();
    expect(shown.headers.get('cache-control')).toContain('no-store');
    const by = async (secret: string) =>
      (await begin(shop.id, { email: 'a@b.example', signature: signText(secret, 'a@b.example') })).status;
    expect([await by(old), await by(fresh)]).toEqual([200, 200]);
    const whole = await product.admin.get(`/organizations/${shop.id}`);
    expect(JSON.stringify(whole.body)).not.toMatch(/pws_|widgetSecret/);
    for (const query of [
      'widgetSecret=',
      'widgetSecret.secret=~p',
      'select=widgetSecret',
      'sort=widgetSecret',
    ])
      expect((await product.admin.get(`/organizations?${query}`)).status, query).toBe(400);
    expect((await product.admin.request('DELETE', path)).status).toBe(204);
    expect((await product.admin.request('DELETE', path)).status).toBe(404);
    expect([await by(old), await by(fresh)]).toEqual([401, 401]);
    const agent = await newUser(product, { role: 'agent' });
    expect((await agent.post(path)).status).toBe(403);
  });
});
