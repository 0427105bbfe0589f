import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { DomainError } from '../../domain/errors.ts';
import { createHeadPoller } from '../../api/streams/pollers.ts';
import { createStreams } from '../../api/streams/streams.ts';
import { anyCollection } from '../../store/connection/model.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { newId } from '../../store/queries/identifier.ts';
import { messageModel } from '../../store/conversations/messages.ts';
import { eventually } from '../support/eventually.ts';

const TIMES = { checkMs: 50, heartbeatMs: 100, stuckMs: 60_000 };

/** These streams have shorter intervals than in the product. */
describe('a stream', () => {
  beforeAll(() => connectStore(inject('mongodbUri'), { database: 'stream_times' }));
  afterAll(() => disconnectStore());

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
      ...{ conversation, after: { number: 0 }, address: 'a', holder: 'h', mayListen },
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
    return { stream, listen, heard: () => heard, close: () => streams.close() };
  }

  test('a stream sends heartbeats with the id of the last event', async () => {
    const id = await newConversation(3);
    const listener = open(id);
    listener.listen();
    await eventually(() => listener.heard().split(': alive\nid: 3-1\n\n').length > 4);
    expect(listener.heard().match(/event: message/g)).toHaveLength(3);
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
    await eventually(() => other.heard().match(/event: message/g)?.length === 40);
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
    await eventually(() => listener.heard().match(/event: message/g)?.length === 45);
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
