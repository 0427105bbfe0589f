import { describe, expect, test } from 'vitest';
import { viewerInput } from '../../api/chat-page/post.ts';
import { ROUTES } from '../../api/routes.ts';
import { DomainError } from '../../domain/errors.ts';
import { bodyCheck } from '../../schema/check.ts';
import { parseJson } from '../../schema/json.ts';
import { cpuTimeMs } from '../support/cpu-time.ts';
import { HONEST_MESSAGES, HOSTILE_BODIES } from '../support/hostile-bodies.ts';

const MAX_RATIO = 10;

const CHECKS = [
  ...ROUTES.flatMap(({ method, path, bodyType, checkBody }) =>
    checkBody && bodyType === 'application/json' ? [{ name: `${method} ${path}`, check: checkBody }] : [],
  ),
  { name: 'POST /c/:slug/messages', check: bodyCheck(viewerInput, 'whole') },
];

/**
 * A process has one thread for all that it serves: nobody may hold it for seconds with one body of
 * 1 MiB.
 */
describe('reading and checking a body of 1 MiB', () => {
  const honest = JSON.stringify(HONEST_MESSAGES);
  const [messages] = CHECKS.filter(({ name }) => name === 'POST /conversations/:id/messages');
  const honestMs = leastMs(() => messages?.check(parseJson(honest)));

  test.each([...HOSTILE_BODIES])('costs less than ten times an honest one: %s', (_, text) => {
    const parsingMs = leastMs(() => parseJson(text));
    const value = parsedOrNull(text);
    for (const { name, check } of value === null ? [] : CHECKS) {
      const ratio = (parsingMs + leastMs(() => check(value))) / honestMs;
      expect(ratio, `${name}, of ${honestMs} ms`).toBeLessThan(MAX_RATIO);
    }
    expect(parsingMs / honestMs).toBeLessThan(MAX_RATIO);
  });

  test('takes an honest one', () => {
    expect(messages?.check(parseJson(honest))).toEqual(HONEST_MESSAGES);
  });
});

/** Of three runs: whatever else the machine does can only make one longer. */
function leastMs(run: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => timed(run)));
}

function timed(run: () => unknown): number {
  const startedAt = cpuTimeMs();
  refusedOr(run);
  return cpuTimeMs() - startedAt;
}

function parsedOrNull(text: string): unknown {
  return refusedOr(() => parseJson(text)) ?? null;
}

function refusedOr(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
