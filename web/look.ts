import { buildPalette } from './colours.ts';
import { stripOverrides, stripDirection } from './components/shown-text.ts';
import type { Palette } from './colours.ts';

/** What an organization tells its contacts of itself (spec 10.7): all that the page is given. */
export interface Branding {
  title: string;
  /** An address of the web. */
  logo?: string;
  palette?: Palette;
  welcome?: string;
  hours?: string;
}

/** The look of an organization that shows itself like this. */
export function brandingOf({
  title,
  logo,
  colour,
  welcome,
  hours,
}: Omit<Branding, 'palette'> & { colour?: string }): Branding {
  return {
    title: stripDirection(title),
    ...(isOfTheWeb(logo) ? { logo } : {}),
    ...(colour === undefined ? {} : { palette: buildPalette(colour) }),
    ...(welcome === undefined ? {} : { welcome: stripOverrides(welcome) }),
    ...(hours === undefined ? {} : { hours: stripDirection(hours) }),
  };
}

function isOfTheWeb(url: string | undefined): url is string {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
