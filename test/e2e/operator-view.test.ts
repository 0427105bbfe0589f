import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAVED_VIEWS } from '../../domain/operators/saved-views.ts';
import { newConversation as newState } from '../../domain/conversations/conversation.ts';
import { CONVERSATION_WORKFLOW, SEARCH_ATTRIBUTES, TASK_QUEUE } from '../../workflows/contract.ts';
import type { ConversationInput, SearchAttribute } from '../../workflows/contract.ts';
import { newChannel } from '../support/channel.ts';
import { eventually } from '../support/eventually.ts';
import { toSearchableText } from '../support/histories.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

let product: Product;
let temporal: Client;
let bot: KeyHolder;

beforeAll(async () => {
  product = await sharedApi('Harbour Motors');
  temporal = await createTemporalClient(product);
  bot = await newUser(product, { role: 'bot', givenName: 'Echo', familyName: 'Bot' });
});
afterAll(async () => {
  await temporal.connection.close();
  await product.close();
});

const workflow = (id: string) => temporal.workflow.getHandle(`conversation:${id}`);
const details = async (id: string) => {
  const metadata = await workflow(id).query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
};
const attribute = async (id: string, name: SearchAttribute) => {
  const { searchAttributes } = (await workflow(id).describe()) as {
    searchAttributes: Record<string, unknown[]>;
  };
  return searchAttributes[SEARCH_ATTRIBUTES[name]];
};
const upsert = async (name: string, organization = product.organization) => {
  const answer = await product.admin.post('/conversations', {
    organization,
    type: 'contact',
    contact: { profile: { email: `${randomUUID()}@example.com`, name } },
    messages: [{ type: 'chat', role: 'contact', text: 'hello' }],
  });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; contact: string };
};
const found = async (query: string) => {
  const ids: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(workflowId);
  return ids;
};

/** Spec 11.2: the Temporal UI shows conversations to operators. */
describe('a conversation in the Temporal UI', () => {
  test('a conversation in the Temporal UI has a summary with names from its start, and its details show a new name', async () => {
    const { id } = await upsert('Ada Lovelace');
    expect(await (await workflow(id).describe()).staticSummary()).toBe('Harbour Motors · Ada Lovelace');
    await bot.post('/messages', { conversation: id, text: 'hi' });
    await eventually(async () => (await details(id)).startsWith('**Harbour Motors · Ada Lovelace**'));
    expect(await details(id)).toMatch(/\| Participants \| .*Echo Bot/);
    await product.admin.post('/messages', { conversation: id, type: 'field', text: '.name Ada King' });
    await eventually(async () => (await details(id)).startsWith('**Harbour Motors · Ada King**'));
  });

  test('a conversation in the Temporal UI shows markup in names as text', async () => {
    const { id } = await upsert('![x](//e.example/p)|<b>Eve</b>\n# `hi`');
    const shown = await eventually(async () => {
      const now = await details(id);
      return now.includes('Eve') && now;
    });
    expect(shown).not.toMatch(/!\[|\]\(|<b>|`|\n# /);
    expect(await (await workflow(id).describe()).staticSummary()).not.toMatch(/[[\]<>`]/);
  });

  test('a conversation in the Temporal UI is found by its contact, its organization and every parent organization', async () => {
    const below = (await product.admin.post('/organizations', { name: 'Harbour Motors North' })).body
      .id as string;
    const { id, contact } = await upsert('Grace', below);
    for (const query of [
      `${SEARCH_ATTRIBUTES.contact} = "${contact}"`,
      `${SEARCH_ATTRIBUTES.organizationPath} = "${product.organization}"`,
      `${SEARCH_ATTRIBUTES.organizationPath} = "${below}"`,
    ]) {
      await eventually(async () => (await found(query)).includes(`conversation:${id}`));
    }
  });

  test('a conversation in the Temporal UI has the number of its delayed messages as a search attribute, without delays of less than a minute', async () => {
    const { id } = await upsert('Alan');
    await bot.post('/messages', { conversation: id, text: 'typing', delay: 50_000 });
    await eventually(async () => (await details(id)).includes('| Delayed messages | 1, next due'));
    expect(await attribute(id, 'pendingDelays')).toEqual([0]);
    await product.admin.post(`/conversations/${id}/hurry`, {});
    const late = await bot.post('/messages', { conversation: id, text: 'late', delay: 600_000 });
    await eventually(async () => (await attribute(id, 'pendingDelays'))?.[0] === 1);
    await product.admin.request('DELETE', `/messages/${late.body.id}`);
    await eventually(async () => (await attribute(id, 'pendingDelays'))?.[0] === 0);
  });

  test('the details of a conversation show when and why the last carried message did not arrive, and other receipts cost no workflow task', async () => {
    const channel = await newChannel(product);
    const { conversation: id } = await channel.write('Hello');
    const reply = async (text: string) =>
      (await product.admin.post('/messages', { conversation: id, text, role: 'agent' })).body.id as string;
    const message = await reply('first');
    await eventually(
      async () => (await product.admin.get(`/messages/${message}`)).body.delivery.status === 'sent',
    );
    const length = async () => (await workflow(id).describe()).historyLength;
    const before = await length();
    await channel.report(message, 'delivered');
    await channel.report(message, 'read');
    expect(await length()).toBe(before);
    const error = { code: '30003', message: 'The handset is off.' };
    await channel.report(await reply('second'), 'failed', error);
    const shown = await eventually(async () => {
      const now = await details(id);
      return now.includes('Not delivered') && now;
    });
    expect(shown).toMatch(/\| Not delivered \| sms at \d{4}-[\d-]+T[\d:.]+Z: 30003, The handset is off\. \|/);
    await channel.close();
  });

  test('a deleted conversation leaves no name of its contact in the Temporal UI', async () => {
    const { id } = await upsert('Forgotten Person');
    expect((await product.admin.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    // A Temporal cluster may remove a deleted workflow only after 30 seconds, when its internal
    // queues have passed the deletion.
    const isGone = () =>
      workflow(id)
        .describe()
        .then(
          () => false,
          (error: unknown) => /not found/i.test((error as Error).message),
        );
    expect(await eventually(isGone)).toBe(true);
    const erasure = await temporal.workflow.getHandle(`erasure:${id}`).describe();
    expect(await erasure.staticSummary()).toBe('Harbour Motors · deletion of a conversation');
    const history = await temporal.workflow.getHandle(`erasure:${id}`).fetchHistory();
    const text = toSearchableText(history);
    expect(text).toContain('Harbour Motors · deletion of a conversation');
    expect(text).not.toContain('Forgotten');
  });
});

/** Spec 11.2, 6.10: operators see which bots are blocked. */
describe('a bot blocked by a loop limit', () => {
  const say = (conversation: string, text: string) => bot.post('/messages', { conversation, text });

  test('a bot blocked by a loop limit is shown in the Temporal UI with its name and the end of the block, until it gets a reply', async () => {
    const { id } = await upsert('Ada');
    for (let n = 0; n < 20; n += 1) expect((await say(id, `message ${n}`)).status).toBe(201);
    const refused = await say(id, 'one more');
    const [until] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(refused.body.message as string) ?? [];
    await eventually(async () => (await found('Blocked = true')).includes(`conversation:${id}`));
    const shown = await details(id);
    expect(shown).toMatch(/^\*\*Needs attention\*\*\n\n- Echo Bot is blocked until /);
    expect(shown).toContain(`20 of 20 unanswered, blocked until ${until}`);
    expect((await product.admin.post('/messages', { conversation: id, text: 'stop it' })).status).toBe(201);
    await eventually(async () => (await attribute(id, 'blocked'))?.[0] === false);
    expect(await details(id)).not.toContain('blocked until');
  });

  test('a bot blocked for too many identical messages is shown in the Temporal UI', async () => {
    const { id } = await upsert('Ada');
    for (let n = 0; n < 8; n += 1) await say(id, 'the same');
    expect((await say(id, 'the same')).body.code).toBe('bot_loop_identical');
    await eventually(async () => (await attribute(id, 'blocked'))?.[0] === true);
    expect(await details(id)).toMatch(/Echo Bot: 8 of 20 unanswered, 8 of 8 the same, blocked until /);
  });

  test('a blocked bot is no longer shown in the Temporal UI after its block has ended, even without any activity', async () => {
    const { id } = await upsert('Ada');
    const { body } = await product.admin.get(`/conversations/${id}`);
    await workflow(id).terminate('a test of operators');
    // A block lasts three minutes. This block ends in twelve seconds, long enough to be shown even
    // if the machine stalls.
    const said = Date.now() - 168_000;
    const state = {
      ...newState({ ...body, createdBy: bot.user }),
      status: 'queued' as const,
      loops: { [bot.user]: { identical: { x: Array<number>(8).fill(said) }, consecutive: [] } },
    };
    const facts = { names: {}, path: [], attributes: ['blocked' as const] };
    const input: ConversationInput = { id, carried: { state, recent: [], facts } };
    await temporal.workflow.start(CONVERSATION_WORKFLOW, {
      workflowId: `conversation:${id}`,
      taskQueue: TASK_QUEUE,
      args: [input],
    });
    await eventually(async () => (await attribute(id, 'blocked'))?.[0] === true);
    await eventually(async () => (await attribute(id, 'blocked'))?.[0] === false);
    expect(await details(id)).not.toContain('blocked until');
  });
});

/**
 * Returns one number per workflow task of all runs: the length of the task's marker events as JSON.
 * A marker holds the result of a local activity, such as the messages that it loaded.
 */
async function carriedByTasks(id: string): Promise<number[]> {
  const tasks = [0];
  let run: string | undefined;
  do {
    const { events } = await temporal.workflow.getHandle(`conversation:${id}`, run).fetchHistory();
    for (const event of events ?? []) {
      if (event.workflowTaskScheduledEventAttributes) tasks.push(0);
      if (event.markerRecordedEventAttributes) tasks.push((tasks.pop() ?? 0) + JSON.stringify(event).length);
    }
    run = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  } while (run);
  return tasks;
}

/** Temporal rejects the result of a workflow task above 4 MiB. */
describe('large delayed messages that become due together', () => {
  test(
    'large delayed messages that become due together are loaded in several workflow tasks and processed in order',
    { timeout: 180_000 },
    async () => {
      const id = (await product.admin.post('/conversations', {})).body.id as string;
      const text = 'x'.repeat(31_900);
      for (let first = 0; first < 45; first += 15) {
        const messages = Array.from({ length: 15 }, (_, at) => ({
          ...{ conversation: id, delay: 3_600_000 + first + at },
          text: `${String(first + at).padStart(2, '0')} ${text}`,
        }));
        expect((await product.admin.post('/messages', messages)).status).toBe(201);
      }
      expect((await product.admin.post(`/conversations/${id}/hurry`, {})).status).toBe(200);
      const numbers = await eventually(
        async () => {
          const path = `/messages?conversation=${id}&sequence=>0&sort=sequence&select=text&limit=50`;
          const texts = (await product.admin.get(path)).body as { text: string }[];
          return texts.length >= 45 && texts.map((one) => Number(one.text.slice(0, 2)));
        },
        { withinMs: 120_000 },
      );
      expect(numbers).toEqual(Array.from({ length: 45 }, (_, at) => at));
      // 1.4 MB were loaded, at most 512 kB per task. The markers of a task appear in the history
      // only after its messages are stored.
      await eventually(
        async () => (await carriedByTasks(id)).filter((bytes) => bytes > 256 * 1024).length > 2,
      );
    },
  );
});

/** Spec 11.2, 11.5, 14. */
describe('timers and snoozes in the Temporal UI', () => {
  const viewQuery = (name: string) => SAVED_VIEWS.find((view) => view.name === name)!.query;
  const isListed = async (view: string, id: string) =>
    (await found(viewQuery(view))).includes(`conversation:${id}`);
  const HOUR_MS = 3_600_000;

  async function begin(after: number): Promise<string> {
    const timer = { name: 'nobody', when: 'queued', after, event: 'still.there', user: bot.user };
    const organization = (
      await product.admin.post('/organizations', { name: `Timers ${after}`, timers: [timer] })
    ).body.id as string;
    return (await upsert('Ada', organization)).id;
  }

  test('a conversation with a timer has the time of the timer in its details and as a search attribute', async () => {
    const id = await begin(HOUR_MS);
    const at = await eventually(async () => (await attribute(id, 'nextTimerAt'))?.[0]);
    expect(at).toBeInstanceOf(Date);
    const { createdAt } = (await product.admin.get(`/conversations/${id}`)).body;
    const due = new Date(Date.parse(createdAt) + HOUR_MS);
    expect(at).toEqual(due);
    expect(await details(id)).toContain(`| Next timer | nobody at ${due.toISOString()} |`);
    // Temporal's development server does not find a time by equality if its milliseconds end in 0.
    const [from, to] = [-1_000, 1_000].map((ms) => new Date(due.getTime() + ms).toISOString());
    const query = `NextTimerAt > "${from}" AND NextTimerAt < "${to}"`;
    await eventually(async () => (await found(query)).includes(`conversation:${id}`));
    await bot.post('/messages', { conversation: id, type: 'command', text: '/accept' });
    await eventually(async () => (await attribute(id, 'nextTimerAt'))?.[0] === undefined);
    expect(await details(id)).not.toContain('Next timer');
  });

  test('the saved view "Waiting too long" lists a conversation whose timer has fired, until somebody takes it', async () => {
    const id = await begin(1_000);
    await eventually(() => isListed('Waiting too long', id));
    await bot.post('/messages', { conversation: id, type: 'command', text: '/accept' });
    await eventually(async () => !(await isListed('Waiting too long', id)));
  });

  test('the saved view "Snoozed" lists a snoozed conversation, with the time in its details, until it wakes', async () => {
    const { id } = await upsert('Ada');
    await product.admin.post('/messages', { conversation: id, type: 'command', text: '/snooze P1D' });
    await eventually(() => isListed('Snoozed', id));
    const { snoozedUntil } = (await product.admin.get(`/conversations/${id}`)).body;
    expect(await details(id)).toContain(`| Snoozed until | ${snoozedUntil} |`);
    await product.admin.post('/messages', { conversation: id, type: 'command', text: '/wake' });
    await eventually(async () => !(await isListed('Snoozed', id)));
    expect(await details(id)).not.toContain('Snoozed');
  });
});
