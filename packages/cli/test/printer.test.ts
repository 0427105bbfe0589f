import { afterEach, expect, test, vi } from 'vitest';
import { createPrinter } from '../src/command.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs `action` and returns what it writes to standard output and standard error. */
function written(json: boolean, action: (say: ReturnType<typeof createPrinter>) => void): string {
  let text = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      text += String(chunk);
      return true;
    });
  }
  action(createPrinter(json));
  vi.restoreAllMocks();
  return text;
}

test.each([
  ['an escape sequence', '\u001b]52;c;eA==\u0007', '\\u001b]52;c;eA==\\u0007'],
  ['a line break', 'a\r\nconversation #2 agent: b', 'a\\r\\nconversation #2 agent: b'],
  ['a tab and a backspace', '\t\b', '\\t\\b'],
  ['an eight-bit control', '\u009b2J\u0085', '\\u009b2J\\u0085'],
  ['the delete character', '\u007f', '\\u007f'],
  ['a separator of lines', '\u2028\u2029', '\\u2028\\u2029'],
  [
    'controls of direction',
    '\u061c\u200e\u200f\u202a\u202e\u2066\u2069',
    '\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069',
  ],
  ['other letters and joined emoji', 'é שלום 👩‍💻', 'é שלום 👩‍💻'],
])('the printer writes untrusted text on one line and escapes only controls: %s', (_, text, shown) => {
  for (const kind of ['line', 'note', 'problem'] as const) {
    expect(written(false, (say) => say[kind](text, {}))).toBe(`${shown}\n`);
    const json = written(true, (say) => say[kind](text, { text }));
    expect(json).toContain(`"text":"${shown}"`);
    expect(JSON.parse(json)).toMatchObject({ text });
  }
});

test('the printer writes each detail of a failure on a separate line', () => {
  const text = written(false, (say) => say.problem('no', {}, ['  a: b\nc', '  d: e']));
  expect(text).toBe('no\n  a: b\\nc\n  d: e\n');
});
