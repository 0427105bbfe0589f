import { pagePolicy, webSources } from '../../web/page-policy.ts';
import { findLocale } from '../../store/conversations/contacts.ts';
import { getAppearance } from '../../store/records/widgets.ts';
import { acceptedLanguages, chooseLanguage } from '../../web/texts/languages.ts';
import { brandingOf } from '../../web/look.ts';
import { notFoundPage, viewerPage } from '../../web/pages.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { findChatTarget, getChatOrganization } from './place.ts';
import type { ChatTarget } from './place.ts';

/**
 * GET /c/{slug}: the contact's page, in their language (spec 10.6). All it loads comes from here;
 * all that is said in it is text until the page has cleaned it. The organization's websites may
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

/** The address is a key: it is told to nobody, and the page is kept nowhere. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  // Websites that are isolated from others frame only what says so; who may is said by the policy.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The contact's own, else what the website says, else the browser's. */
async function choosePageLanguage(
  { client, querystring }: OpenRequest,
  target: ChatTarget | null,
): Promise<string> {
  const contact = target?.kind === 'stored' ? target.ref.contact : undefined;
  const own = contact === undefined ? undefined : await findLocale(contact);
  const asked = new URLSearchParams(querystring).get('language');
  return chooseLanguage([own ?? '', asked ?? '', ...acceptedLanguages(client.languages)]);
}

/** What the organization's messages point to may be framed, and its websites may frame the page. */
function buildPolicy(publicUrl: string, origins: readonly string[]): string {
  return pagePolicy(publicUrl, {
    frames: ["'self'", webSources(publicUrl)],
    framedBy: ["'self'", ...origins],
  });
}
