import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLogLine } from '../../../platform/config/log-line.ts';

const format = (line: object | string) =>
  formatLogLine(typeof line === 'string' ? line : JSON.stringify(line), { isColoured: false });

describe('a log line as text', () => {
  test('a log line as text has the time, the level, the message and the other fields', () => {
    const line = {
      level: 40,
      time: new Date(2026, 10, 26, 9, 8, 7).getTime(),
      pid: 1,
      hostname: 'h',
      name: 'worker',
      lane: 'a b',
      count: 2,
      code: null,
      msg: 'a delivery lane was interrupted',
    };
    expect(format(line)).toBe('09:08:07 warn  a delivery lane was interrupted lane="a b" count=2');
  });

  test('a log line of a request as text begins with its method, route, status and duration', () => {
    const line = {
      level: 30,
      requestId: 'r1',
      method: 'GET',
      route: '/v2/messages',
      status: 404,
      code: 'NOT_FOUND',
      durationMs: 1.5,
      bytes: 80,
      address: '127.0.0.1',
      msg: 'request',
    };
    expect(format(line)).toBe('info  GET /v2/messages 404 in 1.5 ms requestId=r1 code=NOT_FOUND');
  });

  test('a log line of an error as text ends with the message and the first frames of the stack', () => {
    const err = { type: 'Error', message: 'no disk', stack: 'Error: no disk\n    at a (b.js:1:2)\n    at c' };
    expect(format({ level: 50, msg: 'failed', err })).toBe(
      'error failed err="no disk"\n    at a (b.js:1:2)\n    at c',
    );
    expect(format({ level: 40, msg: 'failed', err })).toBe('warn  failed err="no disk"');
  });

  test('a log line of Temporal and of mongod as text has the same form, without the information of mongod', () => {
    expect(format({ level: 'WARN', time: '', msg: 'slow', shard: 3 })).toBe('warn  slow shard=3');
    expect(format({ s: 'W', msg: 'slow', attr: { ms: 5 } })).toBe('warn  slow ms=5');
    expect(format({ s: 'I', msg: 'starting', attr: {} })).toBeUndefined();
  });

  test('other lines than log lines stay unchanged, and long values are cut', () => {
    for (const line of ['hello', '{"a":1}', '{broken', '[1]', '{"level":30,"msg":5}', '{"level":99}'])
      expect(format(line)).toBe(line);
    expect(format({ level: 30, msg: 'm', text: 'x'.repeat(1_000) })).toMatch(/^info {2}m text=x{200}…$/);
  });

  test('a log line as text has the colour of its level on request', () => {
    const line = JSON.stringify({ level: 50, msg: 'failed' });
    expect(formatLogLine(line, { isColoured: true })).toBe('\u001b[31merror\u001b[39m failed');
  });

  test('a line with any JSON never fails', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('level', 'msg', 'time', 's', 't', 'attr', 'err', 'x'), fc.jsonValue()),
        (line) => {
          format(line);
        },
      ),
    );
  });
});
