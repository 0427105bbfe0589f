import { productVersion } from '../../platform/config/version.ts';
import { ttlCache } from '../../store/queries/ttl-cache.ts';
import { homePage } from '../../web/home-page.ts';
import { checkAll } from '../probes/probes.ts';
import type { Readiness } from '../probes/probes.ts';
import { offersEchoBot } from '../first-start/offered.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';

const MAX_AGE_MS = 1_000;

/** By process, so that a thousand readers cost one look at the servers. */
const readiness = new WeakMap<Api['temporal'], ReturnType<typeof ttlCache<Readiness>>>();

/** GET /: what runs here, for people. */
export async function showHome(_: OpenRequest, { temporal, config }: Api): Promise<HandlerResult> {
  const cache =
    readiness.get(temporal) ?? ttlCache({ maxAgeMs: MAX_AGE_MS, max: 1, load: () => checkAll(temporal) });
  readiness.set(temporal, cache);
  const { checks } = await cache.get('all');
  const body = homePage({
    version: productVersion(),
    publicUrl: config.publicUrl,
    hasEchoBot: offersEchoBot(config),
    temporalUiUrl: config.temporalUiUrl,
    temporalNamespace: config.temporalNamespace,
    running: [
      { name: 'API', what: `${config.publicUrl}/v2`, ok: true },
      { name: 'Store', what: checks.mongodb.engine ?? 'MongoDB', ok: checks.mongodb.ok },
      { name: 'Temporal', what: `namespace ${config.temporalNamespace}`, ok: checks.temporal.ok },
      { name: 'Worker', what: 'runs the conversations', ok: checks.worker.ok },
    ],
  });
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      // The form on it says where it comes from, which it does not without a referrer.
      'Referrer-Policy': 'same-origin',
    },
    body,
  };
}
