import type { Db } from 'mongodb';
import type { Case } from '../case.ts';
import type { Caller } from '../caller.ts';
import { makeConversations } from './posting.ts';

const CONVERSATIONS = 20;
const MESSAGES = 400;
const IN_FLIGHT = 8;
const MAX_TIMES = 3;
/**
 * Maximum ratio of the API's time for a list, which includes message ids, to the driver's time for
 * the same page without message ids.
 */
const MAX_TIMES_OF_LIST = 2;
/** The API's projection of conversations: without fields that only workflows need. */
const SHOWN_FIELDS = { commit: 0, conditional: 0, pending: 0, loops: 0, timing: 0 };
/** The conditions by which the API excludes deleted and delayed messages from a list. */
const SHOWN = { deletedAt: { $exists: false }, sequence: { $exists: true } };

interface Stored {
  _id: string;
  [field: string]: unknown;
}

/**
 * Returns cases that compare reads through the API with reads of the same records by the bare
 * driver.
 */
export async function readingCases(caller: Caller, db: Db): Promise<Case[]> {
  const { id: organization } = await caller.call('POST', '/organizations', { name: 'to read' });
  const ids = await makeConversations(caller, CONVERSATIONS, organization);
  for (const id of ids) await fill(caller, id);
  const [conversations, messages] = [
    db.collection<Stored>('conversations'),
    db.collection<Stored>('messages'),
  ];
  const idAt = (n: number) => ids[n % ids.length] ?? '';
  const idsOf = (some: string[]) =>
    messages
      .aggregate([
        { $match: { conversation: { $in: some }, sequence: { $gt: 0 }, deletedAt: { $exists: false } } },
        { $sort: { conversation: 1, sequence: 1 } },
        { $project: { conversation: 1 } },
        { $group: { _id: '$conversation', messages: { $push: '$_id' } } },
      ])
      .toArray();
  return [
    ...against('a conversation', {
      driver: async (n) => {
        await conversations.findOne({ _id: idAt(n) });
        await idsOf([idAt(n)]);
      },
      api: (n) => caller.send('GET', `/conversations/${idAt(n)}`),
    }),
    ...against('a page of 200 messages', {
      driver: async (n) => {
        const filter = { conversation: idAt(n), organization: { $in: [organization] }, ...SHOWN };
        await messages.find(filter).sort({ _id: 1 }).limit(200).batchSize(201).toArray();
        await messages.countDocuments(filter);
      },
      api: (n) => caller.send('GET', `/messages?conversation=${idAt(n)}&limit=200`),
    }),
    ...against('a list of 20 conversations', {
      async driver() {
        const filter = { organization: { $in: [organization] }, deletedAt: { $exists: false } };
        const page = conversations.find(filter, { projection: SHOWN_FIELDS });
        await page.sort({ updatedAt: -1, _id: 1 }).limit(CONVERSATIONS).toArray();
        await conversations.countDocuments(filter);
      },
      maxTimes: MAX_TIMES_OF_LIST,
      api: () => caller.send('GET', `/conversations?organization=${organization}&sort=-updatedAt&limit=20`),
    }),
  ];
}

async function fill({ send }: Caller, conversation: string): Promise<void> {
  for (let at = 1; at < MESSAGES; at += 100) {
    const texts = Array.from({ length: Math.min(100, MESSAGES - at) }, (_, n) => ({
      role: 'agent',
      text: `Message ${at + n}: what somebody would say in a chat.`,
    }));
    await send('POST', `/conversations/${conversation}/messages`, texts);
  }
}

function against(
  what: string,
  {
    driver,
    api,
    maxTimes = MAX_TIMES,
  }: {
    driver: (n: number) => Promise<void>;
    api: (n: number) => Promise<void>;
    maxTimes?: number;
  },
): Case[] {
  const floor = `driver: ${what}`;
  return [
    { name: floor, inFlight: IN_FLIGHT, work: driver },
    { name: `read ${what}`, inFlight: IN_FLIGHT, work: api, floor, goal: { p50: maxTimes } },
  ];
}
