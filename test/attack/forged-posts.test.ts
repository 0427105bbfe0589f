import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConversation } from '../support/channels.ts';
import { eventually } from '../support/eventually.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import type { OwnProduct } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { startApi, startSecondApi } from '../support/shared-servers.ts';
import { attackBeside, countStatuses, measureQuiet, measureRequest } from './neighbour.ts';
import { newTenant, startNeighbour } from './webhook-neighbour.ts';
import type { Attacker, WebhookNeighbour } from './webhook-neighbour.ts';

const DATABASE = 'forged_posts';
/** 10,000 forged posts in the load run, when it lasts ten minutes. */
const FORGED_EVERY_MS = 4;
const SMS = { NumMedia: '0', NumSegments: '1', Body: 'forged' };

/** The route of a provider needs no token (spec 15.8). */
describe('posts to the address of a Twilio channel', () => {
  let product: OwnProduct;
  let others: Awaited<ReturnType<typeof startSecondApi>>[];
  let attacked: Attacker;
  let neighbour: WebhookNeighbour;
  let twilio: FakeTwilio;
  let service: string;

  beforeAll(async () => {
    product = await startApi(DATABASE);
    attacked = await newTenant(product, 'Attacked');
    neighbour = await startNeighbour(product);
    twilio = await new FakeTwilio('+31201110011').start();
    const params = twilio.params();
    const made = await attacked.admin.post('/services', { name: 'SMS', type: 'twilio', params });
    service = (await untilActive(attacked.admin, made)).id as string;
    const PUBLIC_URL = new URL(twilio.webhook()).origin;
    others = await Promise.all([1, 2].map(() => startSecondApi(DATABASE, { PUBLIC_URL })));
  });
  afterAll(async () => {
    await Promise.all([product, ...others].map((one) => one.close()));
    await Promise.all([neighbour.close(), twilio.close()]);
  });

  const newSid = () => `SM${randomBytes(16).toString('hex')}`;

  test('an SMS that is posted twenty times at once to three API processes is one message', async () => {
    const [from, MessageSid] = ['+31654000001', newSid()];
    const bases = [undefined, ...others.map(({ base }) => base)];
    const posts = Array.from({ length: 20 }, (_, n) =>
      twilio.receivePatiently(from, { Body: 'once', MessageSid }, bases[n % bases.length]),
    );
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
    const conversation = await findConversation(attacked.admin, from);
    await twilio.receivePatiently(from, { Body: 'next' });
    const read = async () =>
      (await attacked.admin.get(`/conversations/${conversation}/messages?sort=sequence`)).body as any[];
    const messages = await eventually(async () => {
      const found = await read();
      return found.some(({ text }) => text === 'next') && found;
    });
    expect(messages.map(({ text }) => text)).toEqual(['once', 'next']);
  });

  test('forged posts are 403, store nothing and delay no other organization', async () => {
    const countStored = async () =>
      (await attacked.admin.get(`/deliveries?service=${service}&direction=in&limit=1`)).headers.get(
        'x-total',
      );
    const before = await countStored();
    const forge = async (at: number) => {
      const url = twilio.webhook();
      const form = { ...SMS, MessageSid: newSid(), From: `+31655${100_000 + at}` };
      const signatures = [
        '',
        'x',
        twilio.sign(url, { ...form, Body: 'other' }),
        twilio.sign(`${url}?a`, form),
      ];
      const signature = signatures[at % signatures.length] ?? '';
      const { status, headers } = await twilio.post(url, form, { 'x-twilio-signature': signature });
      return { status, headers, body: undefined };
    };
    const quiet = await measureQuiet(neighbour);
    const sent = await attackBeside(neighbour, quiet, {
      ...{ name: 'forged posts', attack: (at: number) => measureRequest(() => forge(at)) },
      ...{ each: 20, most: 40, everyMs: FORGED_EVERY_MS, parts: 1 },
    });
    if (LOAD_MINUTES === 0) expect(sent.length).toBeGreaterThanOrEqual(300);
    expect(Object.keys(countStatuses(sent))).toEqual(['403']);
    expect(await countStored()).toBe(before);
    await neighbour.expectAllThere();
    expect((await twilio.receivePatiently('+31654000002', { Body: 'genuine' })).status).toBe(200);
  });
});
