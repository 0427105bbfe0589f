import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { belongings, expectUnharmed, intrusions, newPerson, newVictims, takeovers } from './people.ts';
import type { Victims } from './people.ts';

/** Spec 4: an admin or a bot reaches no users of the organizations beside and above its own. */
describe('an attacker from another organization', () => {
  let product: Product;
  let victims: Victims;

  beforeAll(async () => {
    product = await sharedApi('attack_accounts');
    victims = await newVictims(product);
  });
  afterAll(() => product.close());

  async function strangers(): Promise<Map<string, ApiClient>> {
    const beside = (await product.admin.post('/organizations', { name: 'Attackers' })).body.id;
    const [other, below] = [
      await newPerson(product, { role: 'admin', organization: beside }),
      await newPerson(product, { role: 'admin', organization: victims.child }),
    ];
    const bot = await newUser(product, { role: 'bot', organization: beside }, ['admin']);
    return new Map([
      ['the session of an admin beside', other.session],
      ['the key of an admin beside', client(product.base, other.key.token)],
      ['a key of a bot beside that names scope admin', bot],
      ['the session of an admin below', below.session],
    ]);
  }

  test('an attacker from another organization gets no access to users, groups, channels and organizations, and no information about them', async () => {
    const attackers = await strangers();
    const before = await belongings(product, victims);
    const above = victims.persons.slice(0, 4);
    for (const [name, attacker] of attackers) {
      const requests = name.endsWith('below')
        ? above.flatMap(takeovers)
        : [...victims.persons.flatMap(takeovers), ...intrusions(victims)];
      for (const [method, path, body] of requests) {
        const { status, body: refusal } = await attacker.request(method, path, body);
        const named = `${name}: ${method} ${path} ${JSON.stringify(body)} ${status}`;
        expect([403, 404, 422], named).toContain(status);
        expect(JSON.stringify(refusal), named).not.toMatch(/victims/i);
      }
    }
    await expectUnharmed(product, victims, before);
  });

  test('an attacker from another organization finds no user, channel or group of the attacked organization in any list', async () => {
    const attackers = await strangers();
    const secrets = [
      ...victims.persons.flatMap(({ id, email }) => [id, email]),
      victims.group,
      victims.channel,
    ];
    const { organization } = victims;
    const queries = [
      ...['', `?organization=${organization}`, `?organization=[${organization},${victims.child}]`],
      ...[
        `?id=${victims.admin.id}`,
        `?organization,createdBy=${organization}`,
        `?organization=!=${product.organization}`,
      ],
      '?populate=organization,createdBy&limit=1000',
    ];
    const asked = [
      ...queries.flatMap((query) => [`/users${query}`, `/channels${query}`, `/orggroups${query}`]),
      ...['email=~victims', `email=${victims.admin.email}`, 'email,givenName=victims', 'sort=-email'].map(
        (q) => `/users?${q}`,
      ),
      ...[`id=${organization}`, `parent=${organization}`, 'name=~Victims', 'populate=parent'].map(
        (q) => `/organizations?${q}`,
      ),
      '/orggroups?populate=organizations',
      '/channels?populate=members.user',
    ];
    for (const [name, attacker] of [...attackers].filter(([one]) => one.endsWith('beside'))) {
      for (const path of asked) {
        const { status, body, headers } = await attacker.get(path);
        const text = JSON.stringify([body, [...headers]]);
        if (status === 200)
          for (const secret of secrets) expect(text, `${name}: ${path}`).not.toContain(secret);
        else expect([400, 403], `${name}: ${path}`).toContain(status);
        if (/victims|parent=|id=/i.test(path) && status === 200)
          expect(headers.get('x-total'), path).toBe('0');
      }
    }
  });

  test('concurrent requests at two API processes to create users with one email, in upper and lower case, create one user', async () => {
    const other = await secondSharedApi();
    const admins = [product.admin, client(other.base, product.token)];
    const email = `race-${randomUUID()}@example.com`;
    const cases = [email, email.toUpperCase(), ` ${email} `, email.replace('race', 'rAcE')];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        admins[at % 2]!.post('/users', { role: 'agent', email: cases[at % cases.length] }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(15).fill(409)]);
  });

  test('an admin cannot nest organizations deeper than level 32', async () => {
    let { id: parent, level } = (await product.admin.post('/organizations', { name: 'deep' })).body;
    const digger = await newUser(product, { role: 'admin', organization: parent });
    while (level < 32) {
      const { status, body } = await digger.post('/organizations', { name: 'deep', parent });
      expect([status, body.level]).toEqual([201, Number(level) + 1]);
      ({ id: parent, level } = body);
    }
    const below = await digger.post('/organizations', { name: 'deeper', parent });
    expect([below.status, below.body.details[0].path]).toEqual([422, 'parent']);
    const strange = await digger.post('/organizations', { name: 'x', parent: product.organization });
    expect(strange.status).toBe(403);
  });
});
