import type { Middleware } from 'koa';
import { ttlCache } from '../../store/queries/ttl-cache.ts';
import { isStoreReachable, storeEngine } from '../../store/connection/connect.ts';
import { respondWithJson } from '../middleware/represent.ts';
import { openPaths } from '../middleware/paths.ts';
import type { AnswerPath } from '../middleware/paths.ts';
import type { RequestState } from '../middleware/observe.ts';
import type { Api } from '../request.ts';
import type { Metrics } from './metrics.ts';

const MAX_AGE_MS = 1_000;
/** /metrics is public and has no rate limit. */
const MAX_FIGURES_AGE_MS = 200;

interface Check {
  ok: boolean;
  engine?: string;
}

/** `ending`: still serves requests, but should get no new ones (spec 1.5). */
export interface Readiness {
  status: 'ok' | 'unavailable' | 'ending';
  checks: { mongodb: Check; temporal: Check; worker: Check };
}

export function probes(
  api: Pick<Api, 'temporal' | 'config' | 'ending'>,
  metrics: Metrics,
): Middleware<RequestState> {
  const readiness = ttlCache({ maxAgeMs: MAX_AGE_MS, max: 1, load: () => checkAll(api) });
  const figures = ttlCache({ maxAgeMs: MAX_FIGURES_AGE_MS, max: 1, load: () => metrics.text() });
  const answers: [string, AnswerPath][] = [
    ['/healthz', (ctx) => respondWithJson(ctx, { status: 'ok' })],
    [
      '/readyz',
      async (ctx) => {
        const found = await readiness.get('all');
        const answer: Readiness = api.ending.aborted ? { ...found, status: 'ending' } : found;
        ctx.status = answer.status === 'ok' ? 200 : 503;
        respondWithJson(ctx, answer);
      },
    ],
    [
      '/metrics',
      async (ctx) => {
        ctx.type = metrics.contentType;
        ctx.body = await figures.get('all');
      },
    ],
  ];
  return openPaths(new Map(answers.map(([path, answer]) => [path, asProbe(answer)])));
}

function asProbe(answer: AnswerPath): AnswerPath {
  return (ctx) => {
    ctx.state.probe = true;
    return answer(ctx);
  };
}

export async function checkAll({ temporal, config }: Pick<Api, 'temporal' | 'config'>): Promise<Readiness> {
  const timeoutMs = config.deadlines.readiness;
  const [store, server, worker, engine] = await Promise.all([
    isStoreReachable(timeoutMs),
    temporal.serverAnswers(timeoutMs),
    temporal.workerAnswers(timeoutMs),
    storeEngine(timeoutMs),
  ]);
  return {
    status: store && server && worker ? 'ok' : 'unavailable',
    checks: {
      mongodb: { ok: store, ...(engine === undefined ? {} : { engine }) },
      temporal: { ok: server },
      worker: { ok: worker },
    },
  };
}
