import { pagePolicy, webSources } from '../../web/page-head.ts';
import { findContactById } from '../../store/conversations/contacts.ts';
import { getAppearance } from '../../store/records/widgets.ts';
import { getTexts } from '../../web/texts/languages.ts';
import { acceptedLanguages, chooseLanguage } from '../../domain/languages.ts';
import { brandingOf, OWN_COLOUR, buildPalette } from '../../web/look.ts';
import { notFoundPage, viewerPage } from '../../web/pages.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { findChatTarget, getChatOrganization } from './chat-target.ts';
import type { ChatTarget } from './chat-target.ts';
import { productVersion } from '../../platform/config/load.ts';
import { ttlCache } from '../../store/queries/ttl-cache.ts';
import { homePage } from '../../web/home-page.ts';
import { checkAll } from '../probes/probes.ts';
import type { Readiness } from '../probes/probes.ts';
import { offersEchoBot } from '../first-start/offered.ts';
import { assetName, findAsset } from '../../web/assets.ts';
import { notFound, DomainError } from '../../domain/errors.ts';
import { ID } from '../../domain/id.ts';
import type { Appearance } from '../../store/records/widgets.ts';

/**
 * GET /c/{slug}: the page in the contact's language (spec 10.6). The organization's websites may
 * frame it (spec 13.1).
 */
export async function showPage(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const target = await findChatTarget(request, api);
  const language = await choosePageLanguage(request, target);
  const shown = target && (await getAppearance(getChatOrganization(target)));
  return {
    status: target ? 200 : 404,
    headers: {
      ...PAGE_HEADERS,
      'Content-Security-Policy': buildPolicy(api.config.publicUrl, shown?.origins ?? []),
    },
    body: target ? viewerPage(language, brandingOf(shown ?? { title: '' })) : notFoundPage(language),
  };
}

/** The address contains the chat key: no cache, no referrer. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  // Cross-origin isolated websites need this to frame the page. The policy lists the allowed
  // websites.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

async function choosePageLanguage(
  { client, querystring }: OpenRequest,
  target: ChatTarget | null,
): Promise<string> {
  const contact = target?.kind === 'stored' ? target.ref.contact : undefined;
  const own = contact === undefined ? undefined : (await findContactById(contact))?.profile.locale;
  const asked = new URLSearchParams(querystring).get('language');
  return chooseLanguage([own ?? '', asked ?? '', ...acceptedLanguages(client.languages)]);
}

/** Lets the page frame any website, because messages may open webviews. */
function buildPolicy(publicUrl: string, origins: readonly string[]): string {
  return pagePolicy(publicUrl, {
    frames: ["'self'", webSources(publicUrl)],
    framedBy: ["'self'", ...origins],
  });
}

const MAX_AGE_MS = 1_000;

/** All visitors share one readiness check per second. */
const readiness = new WeakMap<Api['temporal'], ReturnType<typeof ttlCache<Readiness>>>();

export async function showHome(_: OpenRequest, { temporal, config }: Api): Promise<HandlerResult> {
  const cache =
    readiness.get(temporal) ??
    ttlCache({ maxAgeMs: MAX_AGE_MS, max: 1, load: () => checkAll({ temporal, config }) });
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
      // With `no-referrer`, the form would send `Origin: null`.
      'Referrer-Policy': 'same-origin',
    },
    body,
  };
}

const MAX_AGE_SECONDS = 300;

/** GET /c/{organization}/look (spec 13.1) */
export async function showLook(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const { title, palette = buildPalette(OWN_COLOUR) } = brandingOf(await findOfferedWidget(request, api));
  const { querystring, client } = request;
  const asked = new URLSearchParams(querystring).get('language') ?? '';
  const language = chooseLanguage([asked, ...acceptedLanguages(client.languages)]);
  return {
    status: 200,
    headers: {
      'Cache-Control': `private, max-age=${MAX_AGE_SECONDS}`,
      Vary: 'Origin, Accept-Language',
    },
    body: { title, language, palette, texts: getTexts(language).widget },
  };
}

/** GET /widget.js: any website may load it (spec 13.1). */
export function showWidget(): Promise<HandlerResult> {
  const asset = findAsset(assetName('widget.js'));
  if (!asset) return Promise.reject(notFound('The file'));
  return Promise.resolve({
    status: 200,
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=3600',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body: asset.content,
  });
}

/** GET /viewer/{file}: cached for a year, because names contain a hash. */
export function showAsset({ params }: OpenRequest): Promise<HandlerResult> {
  const asset = findAsset(params['file'] ?? '');
  if (!asset) return Promise.reject(notFound('The file'));
  return Promise.resolve({
    status: 200,
    headers: { 'Content-Type': asset.type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    body: asset.content,
  });
}

/**
 * Throws the same DomainError `not_found` for an unknown organization and an unlisted website:
 * organizations cannot be probed (spec 13.3). A GET without `Origin` comes from the product's own
 * origin: browsers send `Origin` with all other requests of scripts.
 */
export async function findOfferedWidget(
  { params: { organization = '' }, client: { origin } }: Pick<OpenRequest, 'params' | 'client'>,
  { config }: Pick<Api, 'config'>,
): Promise<Appearance> {
  const appearance = ID.test(organization) ? await getAppearance(organization) : null;
  const website = origin || new URL(config.publicUrl).origin;
  if (appearance?.origins.includes(website)) return appearance;
  throw new DomainError(
    'not_found',
    'The widget is not available: the organization does not exist, or its meta.widget.origins does not list this website.',
  );
}
