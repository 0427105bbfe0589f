import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { USER_ROLES } from '../../domain/scope.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';

export const PASSWORD = 'correct horse';

/** A user with every credential that can be lent, lost or stolen. */
export interface Person {
  id: string;
  email: string;
  token: string;
  refreshToken: string;
  session: ApiClient;
  key: { id: string; token: string };
}

export type Request = readonly [method: string, path: string, body?: object | undefined];

/**
 * An organization with a group, a channel and a user of every role, and with a child organization
 * that has an admin.
 */
export interface Victims {
  organization: string;
  child: string;
  group: string;
  channel: string;
  persons: Person[];
  admin: Person;
}

let people = 0;
/** Emails are unique per deployment, so files that share a product use different domains. */
const RUN = randomUUID().slice(0, 8);

export async function newPerson(
  { admin, base }: Pick<Product, 'admin' | 'base'>,
  { role, organization, of = 'attackers' }: { role: string; organization: string; of?: string },
): Promise<Person> {
  const email = `person${people++}@${of}-${RUN}.example`;
  const { body } = await admin.post('/users', { email, password: PASSWORD, role, organization });
  const scopes = [role === 'viewer' ? 'guest' : role];
  const key = (await admin.post(`/users/${body.id}/apikeys`, { name: 'own', scopes })).body;
  const { token, refreshToken } = await signIn(base, { email, password: PASSWORD });
  return { id: body.id, email, token, refreshToken, session: client(base, token), key };
}

export async function newVictims(product: Pick<Product, 'admin' | 'base'>): Promise<Victims> {
  const make = async (path: string, body: object) => (await product.admin.post(path, body)).body.id;
  const organization = await make('/organizations', { name: 'Victims' });
  const child = await make('/organizations', { name: 'Children', parent: organization });
  const persons: Person[] = [];
  for (const role of USER_ROLES) {
    persons.push(await newPerson(product, { role, organization, of: 'victims' }));
  }
  const admin = persons.at(-1)!;
  persons.push(await newPerson(product, { role: 'admin', organization: child, of: 'victims' }));
  const members = persons.slice(0, 2).map(({ id }) => ({ user: id }));
  return {
    ...{ organization, child, persons, admin },
    group: await make('/orggroups', { name: 'Victims', organization, organizations: [child] }),
    channel: await make('/channels', { name: 'Victims', organization, members }),
  };
}

export async function belongings(
  { admin }: Pick<Product, 'admin'>,
  { organization, child, group, channel, persons }: Victims,
): Promise<string> {
  const paths = [
    ...[organization, child].map((id) => `/organizations/${id}`),
    ...[`/orggroups/${group}`, `/channels/${channel}`],
    ...[organization, child].map((id) => `/users?organization=${id}`),
    ...persons.map(({ id }) => `/users/${id}/apikeys`),
  ];
  const seen = await Promise.all(paths.map((path) => admin.get(path)));
  expect(seen.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return JSON.stringify(
    seen.map(({ body }) => body),
    (name, value: unknown) => (name === 'lastUsedAt' ? undefined : value),
  );
}

/**
 * Asserts that records, sessions and keys of the victims are unchanged and that their logins work.
 */
export async function expectUnharmed(
  product: Pick<Product, 'admin' | 'base'>,
  victims: Victims,
  before: string,
): Promise<void> {
  expect(await belongings(product, victims)).toBe(before);
  for (const { id, email, session, key } of victims.persons) {
    expect((await session.get('/users/me')).body.id).toBe(id);
    expect((await client(product.base, key.token).get('/users/me')).body.id).toBe(id);
    expect((await signIn(product.base, { email, password: PASSWORD })).user).toBe(id);
  }
}

export function takeovers({ id, key }: Person): Request[] {
  return [
    ['PATCH', `/users/${id}`, { password: 'another horse' }],
    ['PATCH', `/users/${id}`, { password: 'another horse', currentPassword: PASSWORD }],
    ['PATCH', `/users/${id}`, { email: `${id}@attackers.example` }],
    ['PATCH', `/users/${id}`, { role: 'viewer' }],
    ['PATCH', `/users/${id}`, { givenName: 'Mallory', meta: {} }],
    ['DELETE', `/users/${id}/otp`],
    ['GET', `/users/${id}/apikeys`],
    ['POST', `/users/${id}/apikeys`, { name: 'mine', scopes: ['admin'] }],
    ['DELETE', `/users/${id}/apikeys/${key.id}`],
    ['DELETE', `/users/${id}`],
  ];
}

export function intrusions({ organization, child, group, channel, admin }: Victims): Request[] {
  return [
    ...[organization, child].flatMap((id): Request[] => [
      ['GET', `/organizations/${id}`],
      ['PATCH', `/organizations/${id}`, { name: 'Mine' }],
      ['DELETE', `/organizations/${id}`],
      ['POST', '/organizations', { name: 'Mine', parent: id }],
      ['POST', '/users', { role: 'admin', organization: id }],
      ['POST', '/orggroups', { name: 'Mine', organizations: [id] }],
    ]),
    ...[`/orggroups/${group}`, `/channels/${channel}`].flatMap((path): Request[] => [
      ['GET', path],
      ['PATCH', path, { name: 'Mine' }],
      ['DELETE', path],
    ]),
    ['POST', '/channels', { name: 'Mine', members: [{ user: admin.id }] }],
  ];
}
