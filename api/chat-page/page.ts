import { findLocale } from '../../store/conversations/contacts.ts';
import { acceptedLanguages, chooseLanguage } from '../../viewer/texts/languages.ts';
import { notFoundPage, viewerPage } from '../../viewer/pages.ts';
import { findBySlug } from '../../store/conversations/find-conversations.ts';
import type { Answer, Api, OpenRequest } from '../request.ts';

/**
 * GET /c/{slug}: the contact's page, in their language (spec 10.6). All it loads comes from here;
 * all that is said in it is text until the page has cleaned it.
 */
export async function showPage({ params, client }: OpenRequest, { config }: Api): Promise<Answer> {
  const place = await findBySlug(params['slug'] ?? '');
  const own = place?.contact === undefined ? undefined : await findLocale(place.contact);
  const language = chooseLanguage([own ?? '', ...acceptedLanguages(client.languages)]);
  return {
    status: place ? 200 : 404,
    headers: { ...PAGE_HEADERS, 'Content-Security-Policy': policy(config.publicUrl) },
    body: place ? viewerPage(language) : notFoundPage(language),
  };
}

/** The address is a key: it is told to nobody, and the page is kept nowhere. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

/**
 * Nothing runs or is styled but our own files, and text becomes markup only through the sanitizer.
 * Images and framed pages are what the organization's messages point to; without TLS they may come
 * without it too.
 */
function policy(publicUrl: string): string {
  const outside = publicUrl.startsWith('https:') ? 'https:' : 'https: http:';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${outside}`,
    `frame-src 'self' ${outside}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ');
}
