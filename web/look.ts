import { stripOverrides, stripDirection } from './components/shown-text.ts';

/** Branding of an organization on the chat page (spec 10.7). */
export interface Branding {
  title: string;
  logo?: string | undefined;
  palette?: Palette | undefined;
  welcome?: string | undefined;
  hours?: string | undefined;
}

export function brandingOf({
  title,
  logo,
  colour,
  welcome,
  hours,
}: Omit<Branding, 'palette'> & { colour?: string }): Branding {
  return {
    title: stripDirection(title),
    logo: logo !== undefined && isOfTheWeb(logo) ? logo : undefined,
    palette: colour === undefined ? undefined : buildPalette(colour),
    welcome: welcome === undefined ? undefined : stripOverrides(welcome),
    hours: hours === undefined ? undefined : stripDirection(hours),
  };
}

function isOfTheWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/**
 * Colours of a chat page, derived from the organization's colour. Text has a contrast of at least
 * 4.5 : 1 (WCAG 2, AA).
 */
interface Palette {
  mine: string;
  /** Black or white. */
  onMine: string;
  /** Colours of links and buttons on the light and the dark background. */
  accent: { light: string; dark: string };
}

/** Default colour of the page (chat.css: --mine). */
export const OWN_COLOUR = '#3454d1';

type Rgb = readonly [number, number, number];

const MIN_CONTRAST = 4.5;
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** Backgrounds of text in the page's style (chat.css: --card and --back). */
const BACKGROUNDS = { light: ['#ffffff', '#f3f4f7'], dark: ['#22262d', '#14161a'] } as const;
const STEPS = 100;

export function buildPalette(colour: string): Palette {
  const mine = parseColour(colour);
  return {
    mine: formatColour(mine),
    onMine: formatColour(contrast(mine, WHITE) >= MIN_CONTRAST ? WHITE : BLACK),
    accent: {
      light: findReadable(mine, { on: BACKGROUNDS.light, towards: BLACK }),
      dark: findReadable(mine, { on: BACKGROUNDS.dark, towards: WHITE }),
    },
  };
}

/** Returns the contrast of two colours by WCAG 2: 1 to 21. */
export function computeContrast(one: string, other: string): number {
  return contrast(parseColour(one), parseColour(other));
}

function findReadable(colour: Rgb, { on, towards }: { on: readonly string[]; towards: Rgb }): string {
  const backgrounds = on.map(parseColour);
  for (let step = 0; step < STEPS; step++) {
    const share = step / STEPS;
    const mix = (at: 0 | 1 | 2) => Math.round(colour[at] + (towards[at] - colour[at]) * share);
    const candidate: Rgb = [mix(0), mix(1), mix(2)];
    if (backgrounds.every((background) => contrast(candidate, background) >= MIN_CONTRAST))
      return formatColour(candidate);
  }
  return formatColour(towards);
}

function contrast(one: Rgb, other: Rgb): number {
  const both = [luminance(one), luminance(other)];
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function parseColour(colour: string): Rgb {
  const part = (at: number) => parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function formatColour(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
