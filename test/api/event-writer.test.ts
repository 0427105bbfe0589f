import { expect, test } from 'vitest';
import { createEventWriter } from '../../api/streams/event-writer.ts';
import type { StreamReader } from '../../api/streams/event-writer.ts';

test('typing ends after the message appears, even if the message is processed between the two reads of a stream', async () => {
  const id = '0123456789abcdef01234567';
  const written: string[] = [];
  const message = { _id: 'm', sequence: 1, text: 'soon' };
  const reader = {
    readRange: (head: { sequence: number }) =>
      Promise.resolve({ messages: head.sequence === 1 ? [message] : [], complete: head.sequence }),
    readChanges: () => Promise.resolve({ records: [], more: false }),
    // Newer than the heads below.
    readSnapshot: () => Promise.resolve({ conversation: { sequence: 1 }, waiting: [], settled: true }),
  };
  const writer = createEventWriter({
    reader: reader as unknown as StreamReader,
    audience: {
      message: () => ({ id: 'm' }),
      conversation: () => ({ id }),
      typist: () => null,
      contactRead: () => null,
      receipt: () => null,
    },
    after: { number: 0, version: 1 },
    repeat: (work) => work(),
    outlet: {
      hasRoom: () => true,
      write: (text: string) => void written.push(/^event: (\w+)/m.exec(text)?.[1] ?? ''),
    } as Parameters<typeof createEventWriter>[0]['outlet'],
  });
  const head = { id, version: 2, sequence: 0 };
  while (await writer.writeMore(head));
  expect(written).toEqual(['message', 'conversation']);
});
