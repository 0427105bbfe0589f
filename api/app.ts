import cors from '@koa/cors';
import { Router } from '@koa/router';
import Koa from 'koa';
import helmet from 'koa-helmet';
import { documentation } from './docs/openapi.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { providerRouter } from './inbound/router.ts';
import { ingestRouter } from './ingest/router.ts';
import { forwardedAddress } from '../platform/http/client-address.ts';
import type { TrustedProxies } from '../platform/http/client-address.ts';
import type { RateLimits } from '../platform/config/processes.ts';
import type { Limit } from './limits/rate-limit.ts';
import { respondToErrors, pathHint } from './middleware/answer-errors.ts';
import { cacheControl, represent } from './middleware/represent.ts';
import { fixedPaths } from './middleware/paths.ts';
import { observe, traceRequests } from './middleware/observe.ts';
import type { RequestState } from './middleware/observe.ts';
import { rateLimit } from './limits/rate-limit.ts';
import { createMetrics } from './probes/metrics.ts';
import { probes } from './probes/probes.ts';
import type { Api } from './request.ts';
import { PAGES } from './chat-page/routes.ts';
import { CONSOLE } from './console/routes.ts';
import { FIRST_START } from './first-start/begin.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';

/** Headers that scripts in a browser may read (spec 9.7). */
const EXPOSED_HEADERS = [
  'X-Total',
  'X-Total-Pages',
  'X-Per-Page',
  'X-Page',
  'X-Range',
  'Link',
  'Location',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'Idempotent-Replayed',
  'ETag',
  'X-Ignored-Fields',
  'X-Hint',
  'Preference-Applied',
  'WWW-Authenticate',
  'Allow',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
];

export function createApp(
  api: Api,
  { limit, tracer }: { limit: Omit<Limit, 'leave'>; tracer?: Tracer | undefined },
): Koa<RequestState> {
  const { config, log } = api;
  const proxies = { trusted: config.trustedProxies, header: config.clientAddressHeader };
  const app = new Koa<RequestState>({ proxy: proxies.trusted !== 0 });
  app.silent = true;
  if (proxies.trusted !== 0) app.use(takeForwardedAddress(proxies));
  const metrics = createMetrics(config, limit);
  app.use(observe(log, metrics));
  if (tracer) app.use(traceRequests(tracer));
  app.use(represent());
  app.use(cacheControl());
  app.use(respondToErrors((path) => pathHint(path, ROUTES)));
  app.use(securityHeaders());
  app.use(cors({ origin: '*', exposeHeaders: EXPOSED_HEADERS, maxAge: 86_400 }));
  app.use(probes(api, metrics));
  app.use(documentation(config.publicUrl));
  const limited = rateLimit(config.rateLimits, limit.count);
  for (const prefix of ['/c', '/console']) app.use(under(prefix, limited));
  const limitedPosts = rateLimit(channelLimits(config.rateLimits), (key, max) =>
    limit.count(`channels ${key}`, max),
  );
  app.use(
    under('/v2', async (ctx, next) => {
      await (CHANNEL_POSTS.test(ctx.path) ? limitedPosts(ctx, next) : limited(ctx, next));
    }),
  );
  app.use(
    under(
      '/f',
      rateLimit(fileLimits(config.rateLimits), (key, max) => limit.count(`files ${key}`, max)),
    ),
  );
  app.use(fixedPaths('/v2', ROUTES));
  for (const router of [
    createRouter(api, '', [...PAGES, ...CONSOLE, ...FIRST_START]),
    ingestRouter(api, limit.count),
    providerRouter(api),
    createRouter(api, '/v2', ROUTES),
  ]) {
    app.use(router.routes());
    app.use(router.allowedMethods());
  }
  return app;
}

function createRouter(api: Api, prefix: string, rows: readonly Route[]): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });
  const gates = createPipeline(api, rows);
  for (const row of rows) router.register(`${prefix}${row.path}`, [row.method], gates(row));
  return router;
}

const CHANNEL_POSTS = /^\/v2\/services\/[^/]+\/(inbound|receipts)$/;
/** The provider decides how many people write at once. */
const POSTS_PER_REQUEST = 10;

function channelLimits({ perAddress, perKey, exemptNetworks }: RateLimits): RateLimits {
  return {
    perAddress: perAddress * POSTS_PER_REQUEST,
    perKey: perKey * POSTS_PER_REQUEST,
    exemptNetworks,
  };
}

/** A page may show many files at once. */
const FILES_PER_REQUEST = 10;

function fileLimits({ perAddress, exemptNetworks }: RateLimits): RateLimits {
  return { perAddress: perAddress * FILES_PER_REQUEST, perKey: 0, exemptNetworks };
}

function takeForwardedAddress(proxies: TrustedProxies): Koa.Middleware {
  return (ctx, next) => {
    const { remoteAddress = '' } = ctx.socket;
    ctx.request.ip = forwardedAddress(ctx.headers, proxies, remoteAddress) ?? remoteAddress;
    return next();
  };
}

function under(prefix: string, middleware: Koa.Middleware): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path.startsWith(`${prefix}/`)) await middleware(ctx, next);
    else await next();
  };
}

function securityHeaders(): Koa.Middleware {
  const middleware: unknown = helmet({
    xFrameOptions: false,
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        // The product also runs without TLS.
        upgradeInsecureRequests: null,
      },
    },
  });
  return middleware as Koa.Middleware;
}
