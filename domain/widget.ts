import { isBlank } from './characters.ts';
import { invalidRequest } from './errors.ts';

/** `meta.widget` of an organization (spec 13.2). */
export interface WidgetSettings {
  /** Websites that may show the widget. Empty: the widget is disabled. */
  origins: string[];
  /** `#` and six lower-case hexadecimal digits. */
  colour?: string;
  welcome?: string;
  hours?: string;
}

const MAX_ORIGINS = 50;
const MAX_WELCOME = 1_000;
const MAX_HOURS = 500;

/** Excludes special characters of Content-Security-Policy. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/;
const COLOUR = /^#[0-9a-f]{6}$/i;

const RULES: Record<keyof WidgetSettings, (value: unknown, path: string) => void> = {
  origins: assertValidOrigins,
  colour(value, path) {
    if (!isColour(value)) throw invalidRequest(path, 'must be a colour such as #3454d1');
  },
  welcome: (value, path) => assertTextLength(value, path, MAX_WELCOME),
  hours: (value, path) => assertTextLength(value, path, MAX_HOURS),
};

export function assertValidWidget(meta: Record<string, unknown> | null | undefined): void {
  const widget = meta?.['widget'];
  if (widget === undefined || widget === null) return;
  if (!isObject(widget)) throw invalidRequest('meta.widget', 'must be an object');
  for (const [name, value] of Object.entries(widget)) {
    const path = `meta.widget.${name}`;
    const names = Object.keys(RULES);
    if (!names.includes(name)) throw invalidRequest(path, `is not one of ${names.join(', ')}`);
    if (value !== null) RULES[name as keyof WidgetSettings](value, path);
  }
}

export function widgetSettings(meta: Record<string, unknown>): WidgetSettings {
  const widget = isObject(meta['widget']) ? meta['widget'] : {};
  const { origins, colour, welcome, hours } = widget;
  return {
    origins: Array.isArray(origins) ? origins.filter(isOrigin) : [],
    ...(isColour(colour) ? { colour: colour.toLowerCase() } : {}),
    ...(isText(welcome, MAX_WELCOME) ? { welcome } : {}),
    ...(isText(hours, MAX_HOURS) ? { hours } : {}),
  };
}

function assertValidOrigins(value: unknown, path: string): void {
  if (!Array.isArray(value)) throw invalidRequest(path, 'must be a list of origins');
  if (value.length > MAX_ORIGINS) throw invalidRequest(path, `must not have more than ${MAX_ORIGINS}`);
  value.forEach((one, at) => {
    if (isOrigin(one)) return;
    throw invalidRequest(
      `${path}.${at}`,
      'must be an origin in lower case such as https://www.example.com: no path, no slash behind it, no default port',
    );
  });
}

function assertTextLength(value: unknown, path: string, max: number): void {
  if (!isText(value, max)) throw invalidRequest(path, `must be a text of 1 to ${max} characters`);
}

function isOrigin(value: unknown): value is string {
  if (typeof value !== 'string' || !ORIGIN.test(value)) return false;
  try {
    return new URL(value).origin === value;
  } catch {
    return false;
  }
}

function isColour(value: unknown): value is string {
  return typeof value === 'string' && COLOUR.test(value);
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max && !isBlank(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
