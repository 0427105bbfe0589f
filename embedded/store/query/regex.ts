import { BSONRegExp } from 'bson';
import type { Value } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';

/**
 * MongoDB speaks PCRE, this engine JavaScript's regular expressions: the common ground (i, m, s, x, u) works alike; what JavaScript cannot parse is
 * refused. `x` (extended) is translated by removing blanks and comments.
 */
export function compileRegex(regex: BSONRegExp): (value: Value | undefined) => boolean {
  const compiled = javaScriptRegex(regex);
  return (value) => {
    if (typeof value === 'string') return compiled.test(value);
    return value instanceof BSONRegExp && value.pattern === regex.pattern && value.options === regex.options;
  };
}

export function javaScriptRegex(regex: BSONRegExp): RegExp {
  let flags = '';
  for (const option of regex.options) {
    if (!'imsux'.includes(option)) throw badValue(`invalid flag in regex options: ${option}`);
    if (option !== 'x' && option !== 'u') flags += option;
  }
  const inline = /^\(\?([ims]+)\)/.exec(regex.pattern);
  const source = inline ? regex.pattern.slice(inline[0].length) : regex.pattern;
  const allFlags = [...new Set(flags + (inline?.[1] ?? ''))].join('');
  const pattern = regex.options.includes('x') ? withoutBlanks(source) : source;
  if (/\(\?[>+#]|\\[AZzGKQE]|\*\+|\+\+|\?\+/.test(pattern))
    throw notSupported('this Perl syntax in a regular expression');
  try {
    return new RegExp(pattern, `${allFlags}u`);
  } catch {
    return lenientRegex(pattern, allFlags);
  }
}

/** Without the `u` flag JavaScript takes escapes such as `\-` that PCRE takes too. */
function lenientRegex(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new StoreError('Location40414', `Regular expression is invalid: ${String(error)}`);
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
