import type { Middleware } from 'koa';
import { briefCache } from '../../store/brief-cache.ts';
import { storeAnswers, storeEngine } from '../../store/connect.ts';
import type { Api } from '../request.ts';
import type { Metrics } from './metrics.ts';

const DEADLINE_MS = 2_000;
const MAX_AGE_MS = 1_000;

interface Check {
  ok: boolean;
  engine?: string;
}

/** What `GET /readyz` answers (contract 1). */
export interface Readiness {
  status: 'ok' | 'unavailable';
  checks: { mongodb: Check; temporal: Check; worker: Check };
}

/** `/healthz`, `/readyz` and `/metrics`: for machines that watch over this process; open, and never limited. */
export function probes({ temporal }: Pick<Api, 'temporal'>, metrics: Metrics): Middleware {
  const readiness = briefCache({ maxAgeMs: MAX_AGE_MS, most: 1, load: () => checkAll(temporal) });
  return async (ctx, next) => {
    switch (ctx.method === 'GET' ? ctx.path : '') {
      case '/healthz':
        ctx.body = { status: 'ok' };
        return;
      case '/readyz': {
        const answer = await readiness.get('all');
        ctx.status = answer.status === 'ok' ? 200 : 503;
        ctx.body = answer;
        return;
      }
      case '/metrics':
        ctx.type = metrics.contentType;
        ctx.body = await metrics.text();
        return;
      default:
        await next();
    }
  };
}

/** Asks everything that this process needs whether it answers. */
export async function checkAll(temporal: Api['temporal']): Promise<Readiness> {
  const [store, server, worker, engine] = await Promise.all([
    storeAnswers(DEADLINE_MS),
    temporal.serverAnswers(DEADLINE_MS),
    temporal.workerAnswers(DEADLINE_MS),
    storeEngine(DEADLINE_MS),
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
