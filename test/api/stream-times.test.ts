import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { DomainError } from '../../domain/errors.ts';
import { createHeadPoller } from '../../api/streams/pollers.ts';
import { createStreams } from '../../api/streams/streams.ts';
import type { Listener } from '../../api/streams/streams.ts';
import { anyCollection } from '../../store/connection/model.ts';
import { isParticipant, isSlugInUse } from '../../store/conversations/find-conversations.ts';
import { stopClock } from '../../store/cluster/clock.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { newId } from '../../store/queries/identifier.ts';
import { messageModel } from '../../store/conversations/messages.ts';
import { eventually } from '../support/eventually.ts';

const TIMES = { checkMs: 50, heartbeatMs: 100, stuckMs: 60_000 };

beforeAll(async () => {
  await connectStore(inject('mongodbUri'), { database: 'stream_times' });
  // A measurement while a test moves the monotonic clock would give a wrong time.
  stopClock();
});
afterAll(() => disconnectStore());

/** These streams have shorter intervals than in the product. */
describe('a stream', () => {
  /** Stores a conversation with `count` messages of `length` characters. */
  async function newConversation(count: number, length = 5): Promise<string> {
    const id = newId();
    const at = new Date();
    const times = { createdAt: at, updatedAt: at };
    await messageModel.insertMany(
      Array.from({ length: count }, (_, index) => ({
        ...{ _id: newId(), conversation: id, organization: 'o', slug: 's', conversationSlug: 's' },
        ...{ text: `${index}`.padEnd(length, '.'), type: 'chat', sequence: index + 1, ...times },
      })),
    );
    await anyCollection(conversationModel).insertOne({
      ...{ _id: id, organization: 'o', slug: id, pending: [], version: 1, sequence: count },
      ...times,
    });
    return id;
  }

  function open(
    conversation: string,
    mayListen = () => Promise.resolve(true),
    streams = createStreams({ warn: () => undefined }, TIMES),
    repeat = (work: () => Promise<boolean>) => work(),
  ) {
    const stream = streams.open({
      ...{ conversation, after: { number: 0 }, address: 'a', path: ['h'], mayListen },
      repeat,
      audience: {
        message: ({ _id, text }) => ({ id: _id, text }),
        conversation: ({ version }) => ({ version }),
        typist: () => null,
        contactRead: () => null,
        receipt: () => null,
      },
    });
    let heard = '';
    const listen = () => stream.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    const messages = () => heard.match(/event: message/g)?.length ?? 0;
    return { stream, listen, heard: () => heard, messages, close: () => streams.close() };
  }

  test('a stream sends heartbeats with the id of the last event', async () => {
    const id = await newConversation(3);
    const listener = open(id);
    listener.listen();
    await eventually(() => listener.heard().split(': alive\nid: 3-1\n\n').length > 4);
    expect(listener.messages()).toBe(3);
    // EventSource passes the heartbeat event to the page, and reconnects with the id that precedes
    // the event.
    expect(listener.heard()).toContain(': alive\nid: 3-1\n\nevent: heartbeat\ndata: {}\n\n');
    expect(listener.stream.destroyed).toBe(false);
    listener.close();
  });

  test('a stream is closed if its client does not read, but other streams stay open', async () => {
    const id = await newConversation(40, 30_000);
    const streams = createStreams({ warn: () => undefined }, TIMES);
    const stuck = open(id, undefined, streams);
    const other = open(id, undefined, streams);
    other.listen();
    await eventually(() => other.messages() >= 40);
    await eventually(() => stuck.stream.readableLength > 64 * 1024);
    expect(stuck.stream.destroyed).toBe(false);
    // The stream loads no more messages while its buffer is full.
    expect(stuck.stream.readableLength).toBeLessThan(10 * 30_000);
    const now = performance.now.bind(performance);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(performance, 'now').mockImplementation(() => now() + TIMES.stuckMs);
    await eventually(() => stuck.stream.destroyed);
    expect(other.stream.destroyed).toBe(false);
    streams.close();
  });

  test('a stream delays messages from before its start until the allowance permits them, and sends new messages at once', async () => {
    const id = await newConversation(45);
    const streams = createStreams({ warn: () => undefined }, TIMES);
    let asked = 0;
    const repeat = (work: () => Promise<boolean>) => {
      asked += 1;
      return asked < 4 ? Promise.reject(new DomainError('rate_limited', 'Later.')) : work();
    };
    const listener = open(id, undefined, streams, repeat);
    listener.listen();
    await eventually(() => listener.messages() >= 45);
    expect(listener.heard().match(/(?<=id: )\d+(?=-1\ndata: \{"id")/g)).toEqual(
      Array.from({ length: 45 }, (_, index) => `${index + 1}`),
    );
    // The allowance refuses three times, then permits three batches of at most twenty messages.
    const before = asked;
    expect(before).toBe(6);
    const [last] = await messageModel.find({ conversation: id, sequence: 45 }).lean();
    await messageModel.insertMany([{ ...last, _id: newId(), sequence: 46, text: 'news' }]);
    await conversationModel.collection.updateOne({ _id: id }, { $set: { version: 2, sequence: 46 } });
    await eventually(() => listener.heard().includes('"news"'));
    expect(asked).toBe(before);
    listener.close();
  });

  test('a stream continues while the store cannot confirm the access of its client', async () => {
    const id = await newConversation(1);
    let asked = 0;
    const listener = open(id, () => {
      asked += 1;
      return Promise.reject(new Error('the store is away'));
    });
    listener.listen();
    await eventually(() => asked > 5);
    expect(listener.stream.destroyed).toBe(false);
    listener.close();
  });

  test('a stream sends a deletion only after the message is stored as deleted, even if that is late', async () => {
    const id = await newConversation(2);
    const listener = open(id);
    listener.listen();
    await eventually(() => listener.heard().includes('event: conversation'));
    const doomed = await messageModel.findOne({ conversation: id, sequence: 1 }).lean();
    const commit = JSON.stringify({ changes: [{ kind: 'removed', message: { id: doomed?._id } }] });
    await conversationModel.collection.updateOne({ _id: id }, { $set: { version: 2, commit } });
    const beats = () => listener.heard().split(': alive').length;
    const before = beats();
    await eventually(() => beats() > before + 5);
    expect(listener.heard()).not.toMatch(/deletedAt|"version":2/);
    await messageModel.updateOne({ _id: doomed!._id }, { $set: { deletedAt: new Date(), editedIn: 2 } });
    await eventually(() =>
      /"deletedAt":.*\n\nevent: conversation\nid: 2-2\ndata: \{"version":2/.test(listener.heard()),
    );
    listener.close();
  });
});

describe('the streams of a process', () => {
  const streams = createStreams({ warn: () => undefined });
  afterAll(() => streams.close());

  /** Opens streams until one is refused, and returns the number of open streams and the refusal. */
  function openAll(listeners: Iterable<Omit<Listener, 'mayListen'>>) {
    let count = 0;
    for (const listener of listeners) {
      try {
        streams.openChanges({ ...listener, organization: 'o', mayListen: () => Promise.resolve(true) });
      } catch (error) {
        return { count, code: (error as DomainError).code };
      }
      count += 1;
    }
    return { count, code: undefined };
  }

  /** Yields contacts of one organization. Each conversation has one stream. */
  function* contacts(organization: string, at: (n: number) => string) {
    for (let n = 0; n < 3_000; n += 1) {
      const address = at(n);
      const path = ['root', organization, `address ${address}`, `${organization} ${n}`];
      yield { address, path, isContact: true };
    }
  }

  test('one tenant gets at most half of the streams of a process, and a new tenant always finds room', () => {
    const first = openAll(contacts('a', (n) => `10.0.0.${n % 40}`));
    expect(first).toEqual({ count: 1_000, code: 'unavailable' });
    const second = openAll(contacts('b', (n) => `10.0.1.${n % 40}`));
    expect(second).toEqual({ count: 500, code: 'unavailable' });
    const third = openAll([{ address: '10.0.2.1', path: ['root', 'c', 'a user'] }]);
    expect(third.count).toBe(1);
  });

  test('contacts at one address get at most 50 streams of a process, and a conversation at most 10', () => {
    const address = '10.1.0.1';
    expect(openAll(contacts('d', () => address))).toEqual({ count: 50, code: 'rate_limited' });
    const path = ['root', 'd', 'address 10.1.0.2', 'one conversation'];
    const same = Array.from({ length: 20 }, () => ({ address: '10.1.0.2', path, isContact: true }));
    expect(openAll(same)).toEqual({ count: 10, code: 'rate_limited' });
    // A user at the contacts' address still finds room.
    expect(openAll([{ address, path: ['root', 'd', 'an agent'] }]).count).toBe(1);
  });
});

test('the rights of many streams are checked with two queries', async () => {
  const at = new Date();
  const times = { createdAt: at, updatedAt: at, pending: [], version: 1, sequence: 0 };
  const stored = Array.from({ length: 100 }, (_, n) => ({
    ...{
      _id: newId(),
      organization: 'o',
      slug: `many ${n}`,
      participants: [{ user: `guest ${n}` }],
      ...times,
    },
  }));
  await anyCollection(conversationModel).insertMany(stored);
  const find = vi.spyOn(conversationModel, 'find');
  onTestFinished(() => find.mockRestore());
  const slugs = Array.from({ length: 200 }, (_, n) => isSlugInUse(`many ${n}`));
  expect((await Promise.all(slugs)).filter(Boolean)).toHaveLength(100);
  expect(find).toHaveBeenCalledTimes(2);
  const guests = stored.map(({ _id }, n) => isParticipant({ conversation: _id, user: `guest ${n % 50}` }));
  expect((await Promise.all(guests)).filter(Boolean)).toHaveLength(50);
  expect(find).toHaveBeenCalledTimes(4);
});

test('the head poller queries the store five times a second', async () => {
  let looks = 0;
  const watch = createHeadPoller({ warn: () => undefined }, () => {
    looks += 1;
    return Promise.resolve([]);
  });
  const unwatch = watch('a conversation', () => undefined);
  // Uses timers of this process, which stop together with the poller on a stalled machine.
  for (let fifth = 0; fifth < 5; fifth += 1) await wait(200);
  unwatch();
  expect(looks).toBeGreaterThanOrEqual(4);
});
