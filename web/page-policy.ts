/** Where a page of ours may be framed, and what it may frame, as sources of the policy. */
interface Frames {
  frames: readonly string[];
  framedBy: readonly string[];
}

/**
 * The Content-Security-Policy of a page with people's texts in it: nothing runs or is styled but
 * our own files, and text becomes markup only through the sanitizer. Images may come from anywhere
 * on the web; without TLS also from where there is none.
 */
export function pagePolicy(publicUrl: string, { frames, framedBy }: Frames): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${webSources(publicUrl)}`,
    `frame-src ${frames.join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy.join(' ')}`,
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ');
}

/** Everything on the web, without TLS only where the product itself is served so. */
export function webSources(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? 'https:' : 'https: http:';
}
