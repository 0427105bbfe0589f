import { conversationUrl } from '../events/view.ts';

/**
 * The addresses at which a conversation can be gone on with (spec 5.11): `web` is its viewer, the
 * others come from the organization's templates by touchpoint code, each with `{slug}` filled in
 * (spec 5.11).
 */
export function conversationLinks(
  slug: string,
  { publicUrl, links }: { publicUrl: string; links: Record<string, string> },
): Record<string, string> {
  const others = Object.entries(links).map(
    ([code, template]) => [code, template.replaceAll('{slug}', slug)] as const,
  );
  return { ...Object.fromEntries(others), web: conversationUrl(publicUrl, slug) };
}
