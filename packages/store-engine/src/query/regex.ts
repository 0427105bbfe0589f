import { BSONRegExp } from 'bson';
import { RE2JS } from 're2js';
import type { Value } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';

type TextTest = (text: string) => boolean;

/**
 * MongoDB speaks PCRE, this engine RE2, in which no pattern backtracks: one of a stranger cannot
 * stall the store. What RE2 lacks (look-around, back references, atomic groups) is refused (238).
 */
export function compileRegex(regex: BSONRegExp): (value: Value | undefined) => boolean {
  checkOptions(regex.options);
  const test = literalTest(regex) ?? linearTest(regex);
  return (value) => {
    if (typeof value === 'string') return test(value);
    return value instanceof BSONRegExp && value.pattern === regex.pattern && value.options === regex.options;
  };
}

/** Throws BadValue for a letter that is no option. */
export function checkOptions(options: string): void {
  for (const option of options) {
    if (!'imsux'.includes(option)) throw badValue(`invalid flag in regex options: ${option}`);
  }
}

/** Plain text, maybe anchored, cannot backtrack: JavaScript's own matching is many times faster. */
function literalTest({ pattern, options }: BSONRegExp): TextTest | undefined {
  if (!/^\^?(?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9\s])*\$?$/.test(pattern) || /[mx]/.test(options))
    return undefined;
  const plain = pattern.replace(/\\([^$()*+./?[\\\]^{|}])/g, '$1');
  const compiled = new RegExp(plain, options.includes('i') ? 'iu' : 'u');
  return (text) => compiled.test(text);
}

/**
 * Matching takes steps in proportion to the pattern's size times the text's length: as many as keep
 * it near a tenth of a second.
 */
const MAX_STEPS = 2_000_000;

function linearTest(regex: BSONRegExp): TextTest {
  const compiled = compileLinear(regex);
  const longest = Math.floor(MAX_STEPS / compiled.programSize());
  return (text) => {
    if (text.length <= longest) return compiled.test(text);
    throw new StoreError(
      'Location51156',
      `Error occurred while executing the regular expression: a text of ${text.length} characters is too long for it, it can search ${longest}`,
    );
  };
}

function compileLinear({ pattern, options }: BSONRegExp): RE2JS {
  const flags =
    (options.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (options.includes('m') ? RE2JS.MULTILINE : 0) |
    (options.includes('s') ? RE2JS.DOTALL : 0);
  const source = options.includes('x') ? withoutBlanks(pattern) : pattern;
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    if (isOnlyPerl(source)) throw notSupported('this Perl syntax in a regular expression');
    throw new StoreError('Location51091', `Regular expression is invalid: ${String(error)}`);
  }
}

/** What RE2 does not take and JavaScript or Perl would. */
function isOnlyPerl(source: string): boolean {
  if (/\(\?[>#&|R(+-]|\(\*|\\[ZGKXRNghk]|[*+?}]\+/.test(source)) return true;
  try {
    return new RegExp(source).source !== '';
  } catch {
    return false;
  }
}

function withoutBlanks(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\s+|#.*/g, (part) => (/^(\s|#)/.test(part) ? '' : part));
}

/** The text that every match must begin with, for `^literal`: an index can look for it. */
export function literalPrefix(regex: BSONRegExp): string | undefined {
  if (regex.options !== '' && regex.options !== 's') return undefined;
  const match = /^\^((?:[A-Za-z0-9 _:@/,;<>=!"'%&~`-]|\\[^A-Za-z0-9])+)(.?)/.exec(regex.pattern);
  if (!match?.[1] || regex.pattern.includes('|')) return undefined;
  const text = match[1].replace(/\\(.)/g, '$1');
  const repeated = match[2] !== undefined && '?*{'.includes(match[2]) && match[2] !== '';
  return repeated ? text.slice(0, -1) || undefined : text;
}
