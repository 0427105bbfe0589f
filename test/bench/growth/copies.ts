import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { BSON, MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import {
  CONVERSATION_WORKFLOW,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
  conversationWorkflowId,
} from '../../../workflows/contract.ts';
import type { ConversationInput } from '../../../workflows/contract.ts';
import type { Product } from '../product.ts';
import { until } from '../programs.ts';

const IN_FLIGHT = 32;
const BATCH = 256;
const AGAIN_MS = 200;
const SAY_EVERY = 10;
/** Collections of a conversation's records, with the field that holds the conversation's id. */
const ROWS = { conversations: '_id', messages: 'conversation', events: 'conversation' };

type Reached = Pick<
  Product,
  'call' | 'send' | 'organization' | 'temporalAddress' | 'namespace' | 'mongodbUri'
>;

interface Row {
  _id: string;
  slug?: string;
  [field: string]: unknown;
}

/** A conversation as text, with the ids to replace in a copy. */
interface Template {
  id: string;
  rows: Record<string, string[]>;
  input: string;
  ids: RegExp;
}

/**
 * Creates a conversation in the product, and `count` copies of its state after `continueAsNew`. A
 * copy has the same records and the same workflow input under other ids, without the cost of the
 * earlier history.
 */
export async function makeCopies(count: number, product: Reached): Promise<void> {
  const connection = await Connection.connect({ address: product.temporalAddress });
  const client = new Client({ connection, namespace: product.namespace });
  const mongodb = await MongoClient.connect(product.mongodbUri);
  try {
    const template = await makeTemplate(product, { client, db: mongodb.db() });
    for (let made = 0, batch = 0; made < count; made += BATCH, batch += 1) {
      await copyBatch(Math.min(BATCH, count - made), { template, client, db: mongodb.db() });
      if (batch % SAY_EVERY === SAY_EVERY - 1) process.stderr.write(`${made} of ${count} copied\n`);
    }
  } finally {
    await mongodb.close();
    await connection.close();
  }
}

async function makeTemplate(
  { call, send, organization }: Reached,
  { client, db }: { client: Client; db: Db },
): Promise<Template> {
  const messages = [{ role: 'agent', text: 'the first' }];
  const { id } = await call('POST', '/conversations', { name: COPIED, organization, messages });
  const { workflow } = client;
  await workflow.getHandle(conversationWorkflowId(id)).terminate('its next run ends after one update');
  await workflow.start(CONVERSATION_WORKFLOW, startOf({ id, updatesPerRun: 1 }));
  await send('POST', '/messages', { conversation: id, role: 'agent', text: 'the second' });
  const { updatesPerRun: _, ...input } = await inputOfLastRun(client, id);
  const rows = await Promise.all(
    Object.entries(ROWS).map(async ([name, field]) => {
      const found = await db
        .collection<Row>(name)
        .find({ [field]: id })
        .toArray();
      return [name, found] as const;
    }),
  );
  const own = rows.flatMap(([, found]) => found.flatMap(({ _id, slug = _id }) => [_id, slug]));
  const texts = rows.map(([name, found]) => [name, found.map((row) => BSON.EJSON.stringify(row))] as const);
  return {
    ...{ id, rows: Object.fromEntries(texts), input: JSON.stringify(input) },
    ids: new RegExp([...new Set(own)].join('|'), 'g'),
  };
}

export const COPIED = 'at rest, a copy';

/** Waits for the run after `continueAsNew` and returns the input of this run. */
async function inputOfLastRun(client: Client, id: string): Promise<ConversationInput> {
  for (;;) {
    const { events } = await client.workflow.getHandle(conversationWorkflowId(id)).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    const [payload] = started?.input?.payloads ?? [];
    const input = JSON.parse(Buffer.from(payload?.data ?? []).toString()) as ConversationInput;
    if (input.carried) return input;
  }
}

function startOf(input: ConversationInput) {
  return {
    workflowId: conversationWorkflowId(input.id),
    taskQueue: TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    args: [input] as [ConversationInput],
  };
}

async function copyBatch(
  count: number,
  { template, client, db }: { template: Template; client: Client; db: Db },
): Promise<void> {
  const copies = Array.from({ length: count }, () => copyOf(template));
  for (const name of Object.keys(ROWS)) {
    const rows = copies.flatMap((copy) => copy.rows[name] ?? []);
    if (rows.length > 0) await db.collection<Row>(name).insertMany(rows, { ordered: false });
  }
  const runner = async () => {
    for (let copy = copies.pop(); copy; copy = copies.pop())
      await client.workflow.start(CONVERSATION_WORKFLOW, startOf(copy.input));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, runner));
  await until(async () => (await waiting(client)) < BATCH, AGAIN_MS);
}

/**
 * Returns the approximate backlog of workflow tasks. The next batch waits until the backlog is
 * small, so that new workflows do not outrun the workers.
 */
async function waiting(client: Client): Promise<number> {
  const { stats } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: TASK_QUEUE },
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

function copyOf({ rows, input, ids }: Template) {
  const others = new Map<string, string>();
  const renamed = (text: string) =>
    text.replace(ids, (id) => {
      const other = others.get(id) ?? anotherLike(id);
      others.set(id, other);
      return other;
    });
  const copied = Object.entries(rows).map(([name, texts]) => {
    return [name, texts.map((text) => BSON.EJSON.parse(renamed(text)) as Row)] as const;
  });
  return { rows: Object.fromEntries(copied), input: JSON.parse(renamed(input)) as ConversationInput };
}

/** Returns another id of the same form: an object id with the same timestamp, or a random slug. */
function anotherLike(own: string): string {
  if (!/^[0-9a-f]{24}$/.test(own)) return randomBytes(12).toString('base64url');
  return own.slice(0, 8) + randomBytes(8).toString('hex');
}
