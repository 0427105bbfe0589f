import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEventType } from '../support/event-types.ts';
import type { Product } from '../support/product.ts';
import { SIGNED, newIngest, postAndWait, postTo } from '../support/senders.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

const SECRET = 'a long random text';

/** Spec 8.9. */
describe('an ingest address', () => {
  let product: Product;
  let user: string;
  let address: string;

  beforeAll(async () => {
    product = await sharedApi('ingest_fields');
    ({ user } = await newUser(product, { role: 'bot' }));
    address = `/eventtypes/${await newEventType(product, 'protected', 'null')}/ingest`;
  });
  afterAll(() => product.close());

  test.each([
    ['a mistyped secret', { secrit: SECRET }, 'secrit'],
    ['a mistyped signature', { secret: SECRET, signatur: 'github' }, 'signatur'],
    [
      'a mistyped field of a signature',
      { secret: SECRET, signature: { header: 'X-A', headr: 'X-A' } },
      'signature.headr',
    ],
  ])('%s is refused, because the address would be less protected than intended', async (_, fields, path) => {
    const { status, body } = await product.admin.post(address, { user, ...fields });
    expect([status, body.details[0].path]).toEqual([400, path]);
    expect((await product.admin.get(address)).status).toBe(404);
  });

  test("an ingest address returns the validation code of Azure Event Grid's own schema", async () => {
    const type = await newEventType(product, 'grid', 'null');
    const { url } = await newIngest(product, type, { user });
    const validation = (validationCode: unknown) => ({
      method: 'POST',
      body: JSON.stringify([
        { eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data: { validationCode } },
      ]),
      headers: { 'Content-Type': 'application/json', 'aeg-event-type': 'SubscriptionValidation' },
    });
    const code = '512d38b6-c7b8-40c8-89fe-f46f9e9622b6';
    const answer = await fetch(url, validation(code));
    expect([answer.status, await answer.json()]).toEqual([200, { validationResponse: code }]);
    expect((await fetch(url, validation(7))).status).toBe(400);
    expect((await fetch(url, validation(undefined))).status).toBe(202);
  });

  test('an ingest address takes a form with files: its texts are the event, and X-Hint names the files', async () => {
    const type = await newEventType(product, 'form.with-files', '$error("the fields: " & $string($))');
    const { url } = await newIngest(product, type, { user });
    const form = new FormData();
    form.append('name', 'Zoë');
    form.append('topic', 'a');
    form.append('topic', 'b');
    form.append('photo', new File(['\xff\xd8'], 'dent–1.jpg', { type: 'image/jpeg' }));
    const response = await fetch(url, { method: 'POST', body: form });
    expect([response.status, response.headers.get('x-hint')]).toEqual([
      202,
      'Files are left out, only text fields are read: dent?1.jpg.',
    ]);
    const { id } = (await response.json()) as { id: string };
    expect((await product.admin.get(`/events/${id}`)).body.body).toEqual({ name: 'Zoë', topic: ['a', 'b'] });
    const signed = await newIngest(product, type, { user, secret: SECRET, signature: 'github' });
    const bytes = Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n');
    const headers = { ...SIGNED.github(SECRET, bytes), 'Content-Type': 'multipart/form-data; boundary=b' };
    expect((await postTo(signed.url, bytes, headers)).status).toBe(415);
  });

  test('a signed post without an id that repeats the same bytes is the same event, and the log counts it', async () => {
    const type = await newEventType(product, 'signed.without-id', 'null');
    const signature = { header: 'Typeform-Signature', prefix: 'sha256=', encoding: 'base64' };
    const { url } = await newIngest(product, type, { user, secret: SECRET, signature });
    const body = JSON.stringify({ reading: 20.5 });
    const mac = createHmac('sha256', SECRET).update(body).digest('base64');
    const post = () => postAndWait(product.admin, url, body, { 'Typeform-Signature': `sha256=${mac}` });
    const [first, ...others] = [await post(), await post(), await post()];
    expect(others.map(({ body }) => body.id)).toEqual([first.body.id, first.body.id]);
    const log = (await product.admin.get('/events?name=signed.without-id')).body;
    expect(log).toMatchObject([{ id: first.body.id, status: 'ignored', repeats: 2 }]);
  });
});
