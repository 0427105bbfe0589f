import { RE2JS } from 're2js';

/** What JSONata uses of a regular expression. */
interface Engine {
  lastIndex: number;
  exec: (text: string) => RegExpExecArray | null;
}

const compiled = new WeakMap<RegExp, RE2JS>();

/**
 * The regular expressions of JSONata in linear time (RE2): no pattern can be made to run for ever.
 * Called with `new` by JSONata. Throws a fault for what RE2 does not know, such as a back
 * reference.
 */
export function RegexEngine(pattern: RegExp): Engine {
  const expression = compile(pattern);
  return {
    lastIndex: 0,
    exec(text) {
      if (this.lastIndex > text.length) return null;
      const matcher = expression.matcher(text);
      if (!matcher.find(this.lastIndex)) return null;
      this.lastIndex = matcher.end();
      const groups = Array.from(
        { length: matcher.groupCount() + 1 },
        (_, at) => matcher.group(at) ?? undefined,
      );
      return Object.assign(groups, { index: matcher.start() }) as RegExpExecArray;
    },
  };
}

function compile(pattern: RegExp): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const fresh = compileFresh(pattern);
  compiled.set(pattern, fresh);
  return fresh;
}

function compileFresh({ source, ignoreCase, multiline }: RegExp): RE2JS {
  const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), flags);
  } catch (error) {
    const message = `The regular expression /${source}/ is not RE2 syntax: ${(error as Error).message}`;
    // JSONata tells its own errors by their code.
    throw Object.assign(new Error(message), { code: 'regular_expression', token: `/${source}/` });
  }
}
