import { consolePage } from '../../viewer/console-page.ts';
import type { Answer, Api, OpenRequest } from '../request.ts';

/** GET /console: the page for those who run or staff the service (spec 12). */
export function showConsole(_: OpenRequest, { config }: Api): Promise<Answer> {
  return Promise.resolve({
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': policy(config.publicUrl),
    },
    body: consolePage(),
  });
}

/**
 * Nothing runs or is styled but our own files, and text becomes markup only through the sanitizer.
 * Nobody may frame the page; it frames the chat page alone.
 */
function policy(publicUrl: string): string {
  const outside = publicUrl.startsWith('https:') ? 'https:' : 'https: http:';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${outside}`,
    "frame-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ');
}
