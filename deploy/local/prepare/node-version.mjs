import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a one-line message if `version` does not satisfy `engines` in package.json, otherwise
 * undefined.
 */
export function nodeVersionProblem(root, version) {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (engines.node.split('||').some((range) => satisfies(version, range.trim()))) return undefined;
  return `this is Node ${version}, but Parlance needs Node ${engines.node}. Install one of these and try again.`;
}

/** Supports the two forms that package.json uses: `^20.19` and `>=24`. */
function satisfies(version, range) {
  const [, operator, ...least] = /^(\^|>=)(\d+)(?:\.(\d+))?/.exec(range);
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = [Number(least[0]), Number(least[1] ?? 0)];
  if (major === leastMajor) return minor >= leastMinor;
  return operator === '>=' && major > leastMajor;
}
