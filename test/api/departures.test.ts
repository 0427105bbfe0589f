import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';

/** Spec 4.10 */
describe('conversations of a user who leaves', () => {
  let product: Product;
  let below: string;
  let beside: string;

  beforeAll(async () => {
    product = await sharedApi('departures');
    const add = async (name: string) =>
      (await product.admin.post('/organizations', { name, parent: product.organization })).body.id as string;
    [below, beside] = [await add('below'), await add('beside')];
  });
  afterAll(() => product.close());

  const newAgent = () => newUser(product, { role: 'agent' });
  const read = async (id: string) => (await product.admin.get(`/conversations/${id}`)).body;
  const command = (by: Pick<KeyHolder, 'post'>, conversation: string, text: string) =>
    by.post('/messages', { conversation, type: 'command', text });

  async function begin(accepting: KeyHolder[], organization = product.organization) {
    const id = (await product.admin.post('/conversations', { organization })).body.id as string;
    for (const one of accepting) expect((await command(one, id, '/accept')).status).toBe(201);
    expect(await read(id)).toMatchObject({ status: 'active' });
    return id;
  }

  const untilReleased = (id: string, { user }: KeyHolder) =>
    eventually(async () => {
      const { status, participants } = await read(id);
      const own = participants.find((one: { user: string }) => one.user === user);
      return !own.accepted && !own.active && { status };
    });

  test('the conversation of a deleted agent is queued again, and another agent can take and close it', async () => {
    const [gone, colleague] = [await newAgent(), await newAgent()];
    const alone = await begin([gone]);
    const shared = await begin([gone, colleague]);
    await product.admin.request('DELETE', `/users/${gone.user}`);
    expect(await untilReleased(alone, gone)).toEqual({ status: 'queued' });
    expect(await untilReleased(shared, gone)).toEqual({ status: 'active' });
    await command(colleague, alone, '/accept');
    await command(colleague, alone, '/leave');
    expect(await read(alone)).toMatchObject({ status: 'closed' });
  });

  test('the conversation of an agent who becomes a viewer is queued again', async () => {
    const agent = await newAgent();
    const id = await begin([agent]);
    await product.admin.request('PATCH', `/users/${agent.user}`, { role: 'viewer' });
    expect(await untilReleased(id, agent)).toEqual({ status: 'queued' });
  });

  test('an agent who moves keeps the conversations that they see, and the others are queued again', async () => {
    const agent = await newAgent();
    const [kept, lost] = [await begin([agent], below), await begin([agent], beside)];
    await product.admin.request('PATCH', `/users/${agent.user}`, { role: 'admin', organization: below });
    expect(await untilReleased(lost, agent)).toEqual({ status: 'queued' });
    expect(await read(kept)).toMatchObject({
      status: 'active',
      participants: expect.arrayContaining([expect.objectContaining({ user: agent.user, accepted: true })]),
    });
  });
});
