import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What is wrong with this version of Node for the `engines` of package.json, in one line; undefined
 * if nothing.
 */
export function nodeVersionProblem(root, version) {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (engines.node.split('||').some((range) => satisfies(version, range.trim()))) return undefined;
  return `this is Node ${version}, but Parlance needs Node ${engines.node}. Install one of these and try again.`;
}

/** Knows the two forms package.json uses: `^20.19` and `>=24`. */
function satisfies(version, range) {
  const [, operator, ...least] = /^(\^|>=)(\d+)(?:\.(\d+))?/.exec(range);
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = [Number(least[0]), Number(least[1] ?? 0)];
  if (major === leastMajor) return minor >= leastMinor;
  return operator === '>=' && major > leastMajor;
}
