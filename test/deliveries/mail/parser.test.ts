import { expect, test } from 'vitest';
import { MailReader, UnreadableMailError } from '../../../deliveries/mail/parser.ts';

const THREAD = new URL('../fixtures/mail-thread.mjs', import.meta.url);
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 };

/** The time limit is long unless a test waits for it, because a machine may stall for seconds. */
function newReader(timeoutMs = 120_000) {
  const reader = new MailReader({ thread: THREAD, timeoutMs, memory: MEMORY });
  const read = (words: string) => reader.read(() => Promise.resolve(Buffer.from(words)), 'organization');
  /** Returns the id of the thread that read an honest mail. */
  const readHonest = async () => (await read('honest')).text;
  return { reader, read, readHonest };
}

/** Section 15.11 of the specification. */
test.each([
  ['needs more memory than the limit', 'eat', /The mail cannot be read: .*memory/],
  ['ends the thread', 'exit', /The mail cannot be read/],
  ['throws an error in the thread', 'throw', /The mail cannot be read: a bug/],
  ['is refused by the parser', 'refuse', /The mail cannot be read: no mail/],
])('a mail that %s is unreadable, and the next mail is read in another thread', async (_, words, reason) => {
  const { read, readHonest } = newReader();
  const before = await readHonest();
  const failed = await read(words).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(UnreadableMailError);
  expect((failed as Error).message).toMatch(reason);
  expect(await readHonest()).not.toBe(before);
});

test('a mail that takes longer than the limit is unreadable, and the next mail is read in another thread', async () => {
  const { read } = newReader(3_000);
  const failed = await read('hang').catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(UnreadableMailError);
  expect((failed as Error).message).toBe('It takes longer than 3 s to read the mail.');
  // A stalled machine may exceed the limit once more.
  await expect.poll(() => read('honest').then(({ text }) => text, String)).toMatch(/^\d+$/);
});

test('mails in a row are read in one thread, and in the order of their arrival', async () => {
  const { readHonest } = newReader();
  const threads = await Promise.all([readHonest(), readHonest(), readHonest()]);
  expect(new Set(threads).size).toBe(1);
});

test('a mail that cannot be loaded rejects with the error of the store, and the next mail is read', async () => {
  const { reader, readHonest } = newReader();
  const error = new Error('The store is away.');
  await expect(reader.read(() => Promise.reject(error), 'organization')).rejects.toBe(error);
  expect(await readHonest()).toMatch(/^\d+$/);
});
