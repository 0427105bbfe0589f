import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../deliveries/http/answer.ts';
import { cpuRatio } from '../../support/cpu-time.ts';
import { HONEST_MESSAGES, HOSTILE_BODIES } from '../../support/hostile-bodies.ts';

const MAX_RATIO = 10;

const read = (text: string) => readAnswer(Buffer.from(text));

describe('the answer of a receiver', () => {
  test('is a reply where it has a token and messages', () => {
    const { text, reply } = read('{"token":"t","messages":[{"text":"hi"}],"more":1}');
    expect(reply).toEqual({ token: 't', messages: [{ text: 'hi' }] });
    expect(text).toBe('{"token":"[token]","messages":[{"text":"hi"}],"more":1}');
  });

  test.each(['', 'ok', '{}', '{"token":"t"}', '{"token":5,"messages":[]}', '"token"', 'null', '["token"]'])(
    'is none as %j',
    (text) => {
      expect(read(text).reply).toBeNull();
    },
  );

  test('keeps no token in what is logged, whatever the rest of it is', () => {
    const large = JSON.stringify({ token: 'secret', messages: Array(20_000).fill({}) });
    for (const text of [
      '{"token":"secret"',
      '[{ "token" : "secret" }]',
      '{"\\u0074oken":"secret","token":"secret"}',
      large,
    ]) {
      expect(read(text).text).not.toContain('secret');
    }
    expect(read(large).text).toContain('"token":"[token]"');
  });

  test('says why it is no reply where it is too large for one', () => {
    const reply = read(JSON.stringify({ token: 't', messages: Array(20_000).fill({}) })).reply;
    expect(reply).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('10,000 values'),
    });
  });

  test('is kept up to 16 KiB, and never half a character', () => {
    const { text } = read('€'.repeat(10_000));
    expect(text).toBe('€'.repeat(5461));
  });
});

/** A worker reads the answers of all receivers with one thread. */
describe('reading an answer of 1 MiB', () => {
  const honest = Buffer.from(JSON.stringify({ token: 't', messages: HONEST_MESSAGES }));
  for (let warm = 0; warm < 3; warm += 1) readAnswer(honest);

  test.each([...HOSTILE_BODIES])('costs less than ten times an honest reply: %s', async (_, messages) => {
    const hostile = Buffer.from(`{"token":"t","messages":${messages.trim()}}`);
    const ratio = await cpuRatio({
      run: () => readAnswer(hostile),
      honest: () => readAnswer(honest),
      enough: MAX_RATIO,
    });
    expect(ratio).toBeLessThan(MAX_RATIO);
  });
});
