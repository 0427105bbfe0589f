import { blankTokens } from './blank-tokens.ts';

const MAX_CHARACTERS = 200;

/**
 * Returns where a redirect points, to be shown to the owner of the webhook: without credentials,
 * query and fragment, which may be secret. Undefined unless the header `Location` is an address.
 */
export function redirectTarget(location: string | undefined, url: string): string | undefined {
  const given = location?.trim();
  if (!given || !URL.canParse(given, url)) return undefined;
  const { protocol, host, pathname, search } = new URL(given, url);
  const address = host === '' ? protocol : `${protocol}//${host}${pathname}`;
  const shown = blankTokens(`${address}${search === '' ? '' : '?…'}`);
  return shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS - 1)}…` : shown;
}
