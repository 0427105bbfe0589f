interface JsonFault {
  line: number;
  column: number;
  reason: string;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORD = /[^\s,:{}[\]"]+/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end';

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  key: 'a field name in double quotes',
  'key or }': 'a field name in double quotes or "}"',
  colon: '":"',
  'comma or end': '"," or the end',
};

/** Locates the first fault in invalid JSON, in one pass and without recursion. */
export function jsonFault(text: string): JsonFault {
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: Expected = 'value';
  for (;;) {
    at += lengthAt(SPACE, text, at);
    if (at >= text.length) return faultAt(text, at, `it ends where ${wordsFor(expected, open)} is expected`);
    const step = stepAt(text, { at, expected, open });
    if (typeof step === 'string') return faultAt(text, at, step);
    ({ at, expected } = step);
    if (expected === 'comma or end' && open.length === 0) {
      at += lengthAt(SPACE, text, at);
      return faultAt(text, at, 'there is text after its end');
    }
  }
}

interface Reading {
  at: number;
  expected: Expected;
  open: ('{' | '[')[];
}

/** Returns a reason if the token is unexpected. */
function stepAt(text: string, { at, expected, open }: Reading): Omit<Reading, 'open'> | string {
  const character = text[at] ?? '';
  if (expected === 'comma or end') {
    const inner = open.at(-1);
    if (character === ',') return { at: at + 1, expected: inner === '{' ? 'key' : 'value' };
    if (character !== (inner === '{' ? '}' : ']')) return `${wordsFor(expected, open)} is expected here`;
    open.pop();
    return { at: at + 1, expected };
  }
  if (expected === 'colon')
    return character === ':' ? { at: at + 1, expected: 'value' } : '":" is expected here';
  if ((expected === 'key or }' && character === '}') || (expected === 'value or ]' && character === ']')) {
    open.pop();
    return { at: at + 1, expected: 'comma or end' };
  }
  const isKey = expected.startsWith('key');
  const string = stringLengthAt(text, at);
  if (string > 0) return { at: at + string, expected: isKey ? 'colon' : 'comma or end' };
  if (isKey || character === '"') return reasonAt(text, at, expected);
  if (character === '{' || character === '[') {
    open.push(character);
    return { at: at + 1, expected: character === '{' ? 'key or }' : 'value or ]' };
  }
  const scalar = lengthAt(SCALAR, text, at);
  const whole = lengthAt(WORD, text, at);
  return scalar > 0 && scalar === whole
    ? { at: at + scalar, expected: 'comma or end' }
    : reasonAt(text, at, expected);
}

function reasonAt(text: string, at: number, expected: Expected): string {
  const character = text[at] ?? '';
  if (character === '"') return 'a text in double quotes does not end, or has a line break or a bad "\\"';
  if (character === "'") return "texts need double quotes, not '";
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return 'JSON has no comments';
  if (character === '}' || character === ']') return `there is an extra "," before this "${character}"`;
  return `${WORDS[expected]} is expected here`;
}

function wordsFor(expected: Expected, open: readonly string[]): string {
  const inner = open.at(-1);
  if (expected !== 'comma or end' || inner === undefined) return WORDS[expected];
  return inner === '{' ? '"," or "}"' : '"," or "]"';
}

/** Returns 0 for an invalid string. A regular expression would backtrack. */
function stringLengthAt(text: string, begin: number): number {
  if (text[begin] !== '"') return 0;
  for (let at = begin + 1; at < text.length;) {
    const character = text.charAt(at);
    if (character === '"') return at + 1 - begin;
    const length = character === '\\' ? lengthAt(ESCAPE, text, at) : Number(character >= ' ');
    if (length === 0) return 0;
    at += length;
  }
  return 0;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function faultAt(text: string, at: number, reason: string): JsonFault {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1, reason };
}
