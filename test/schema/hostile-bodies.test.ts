import { describe, expect, test } from 'vitest';
import { viewerInput } from '../../api/chat-page/post.ts';
import { ROUTES } from '../../api/routes.ts';
import { DomainError } from '../../domain/errors.ts';
import { bodyCheck } from '../../schema/check.ts';
import { parseJson } from '../../schema/json.ts';
import { cpuRatio, measureCpuTime } from '../support/cpu-time.ts';
import { HONEST_MESSAGES, HOSTILE_BODIES } from '../support/hostile-bodies.ts';

/**
 * Many small values cost twelve times as much as prose of the same size. A quadratic check would
 * cost hundreds of times as much.
 */
const MAX_RATIO = 40;

const CHECKS = [
  ...ROUTES.flatMap(({ method, path, bodyType, checkBody }) =>
    checkBody && bodyType === 'application/json' ? [{ name: `${method} ${path}`, check: checkBody }] : [],
  ),
  { name: 'POST /c/:slug/messages', check: bodyCheck(viewerInput, 'whole') },
];

/** All requests share one thread, so a body of 1 MiB must not block it for seconds. */
describe('parsing and validating a body of 1 MiB', () => {
  const honest = JSON.stringify(HONEST_MESSAGES);
  const [messages] = CHECKS.filter(({ name }) => name === 'POST /conversations/:id/messages');
  const checkHonest = () => messages?.check(parseJson(honest));
  for (let warm = 0; warm < 3; warm += 1) checkHonest();

  test.each([...HOSTILE_BODIES])(
    'parsing and validating a hostile body of 1 MiB costs less than forty times an ordinary body: %s',
    async (_, text) => {
      const value = parsedOrNull(text);
      const honestMs = await measureCpuTime(checkHonest);
      const parsingMs = await measureCpuTime(() => parsedOrNull(text));
      for (const { name, check } of value === null ? [] : CHECKS) {
        const checkingMs = await measureCpuTime(() => refusedOr(() => check(value)));
        if (parsingMs + checkingMs < MAX_RATIO * honestMs) continue;
        const run = () => [parsedOrNull(text), refusedOr(() => check(value))];
        const ratio = await cpuRatio({ run, honest: checkHonest, enough: MAX_RATIO });
        expect(ratio, name).toBeLessThan(MAX_RATIO);
      }
    },
  );

  test('an ordinary body of 1 MiB is accepted', () => {
    expect(messages?.check(parseJson(honest))).toEqual(HONEST_MESSAGES);
  });
});

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
