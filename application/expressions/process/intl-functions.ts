import { quoted } from './times/picture.ts';
import { parseIsoTime } from './times/parse-time.ts';
import { named } from './times/time-functions.ts';

/** Fields of `Intl.DateTimeFormat` that change what is shown. */
const DATE_OPTIONS = [
  ...['dateStyle', 'timeStyle', 'weekday', 'era', 'year', 'month', 'day', 'dayPeriod', 'hour', 'minute'],
  ...['second', 'fractionalSecondDigits', 'timeZoneName', 'hour12', 'hourCycle'],
];

const MAX_FORMATS = 50;
const MAX_NAME = 100;
/** Digits keep amounts exact that a number cannot hold. */
const AMOUNT = /^-?\d{1,40}(?:\.\d{1,20})?$/;

const dates = new Map<string, Intl.DateTimeFormat>();
const amounts = new Map<string, Intl.NumberFormat>();

/**
 * Creates `$formatDate` and `$formatMoney` (spec 8.10). Call it for each run: an expression can
 * change the properties of a function.
 */
export function intlFunctions() {
  return {
    formatDate: (...given: unknown[]) => named('formatDate', () => formatDate(given)),
    formatMoney: (...given: unknown[]) => named('formatMoney', () => formatMoney(given)),
  };
}

function formatDate([time, locale, timeZone, options]: unknown[]): string | undefined {
  if (time === undefined) return undefined;
  const millis = typeof time === 'string' ? parseIso(time) : time;
  if (typeof millis !== 'number' || Number.isNaN(new Date(millis).getTime())) {
    throw formatError('The time must be a number of milliseconds or an ISO 8601 text.');
  }
  const language = checkLocale(locale, Intl.DateTimeFormat);
  const zone = checkZone(timeZone);
  const shown = checkOptions(options);
  const format = recall(dates, JSON.stringify([language, zone, shown]), () => {
    try {
      return new Intl.DateTimeFormat(language, { ...shown, timeZone: zone });
    } catch (error) {
      throw formatError(`The options do not fit: ${(error as Error).message}.`);
    }
  });
  return format.format(millis);
}

function parseIso(time: string): number {
  try {
    return parseIsoTime(time);
  } catch (error) {
    // JSONata's own error names $toMillis, which the expression does not call.
    if ((error as { code?: unknown }).code !== 'D3110') throw error;
    throw formatError(
      `The time ${JSON.stringify(time.slice(0, 40))} is not ISO 8601, as in 2026-12-04T09:30:00Z.`,
    );
  }
}

function formatMoney([amount, currency, locale]: unknown[]): string | undefined {
  if (amount === undefined) return undefined;
  const isAmount = typeof amount === 'number' ? Number.isFinite(amount) : isDecimal(amount);
  if (!isAmount) throw formatError('The amount must be a number, or a text such as "12.50".');
  const code = typeof currency === 'string' ? currency.toUpperCase() : '';
  if (!Intl.supportedValuesOf('currency').includes(code)) {
    throw formatError(`There is no currency ${show(currency)}. Give a code such as "EUR".`);
  }
  const language = checkLocale(locale, Intl.NumberFormat);
  const format = recall(
    amounts,
    JSON.stringify([language, code]),
    () => new Intl.NumberFormat(language, { style: 'currency', currency: code }),
  );
  return format.format(amount as Intl.StringNumericLiteral);
}

function isDecimal(amount: unknown): boolean {
  return typeof amount === 'string' && AMOUNT.test(amount);
}

type Localised = Pick<typeof Intl.DateTimeFormat, 'supportedLocalesOf'>;

/** `Intl` formats an unknown locale in the default language, without an error. */
function checkLocale(locale: unknown, formats: Localised): string {
  if (locale === undefined || locale === null) {
    throw formatError('The locale is missing. Give a locale such as "nl" or "de-AT".');
  }
  if (typeof locale === 'string' && locale.length <= MAX_NAME) {
    // Many systems write `de_AT` or `de_AT.UTF-8`.
    const tag = locale.replace(/\..*$/, '').replaceAll('_', '-');
    if (isSupported(tag, formats)) return tag;
  }
  throw formatError(`There is no locale ${show(locale)}. Give a locale such as "nl" or "de-AT".`);
}

function isSupported(locale: string, formats: Localised): boolean {
  try {
    return formats.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

function checkZone(zone: unknown): string {
  const unknown = `There is no time zone ${show(zone)}. Give a name such as "Europe/Amsterdam" or "UTC".`;
  // Some versions of Node accept offsets as zone names.
  if (typeof zone !== 'string' || zone.length > MAX_NAME || !/^[A-Za-z]/.test(zone))
    throw formatError(unknown);
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw formatError(unknown);
  }
}

function checkOptions(options: unknown): Record<string, unknown> {
  if (options === undefined) return { dateStyle: 'long' };
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw formatError('The options must be an object, such as {"dateStyle": "full"}.');
  }
  const unknown = Object.keys(options).find((name) => !DATE_OPTIONS.includes(name));
  if (unknown !== undefined)
    throw formatError(`There is no option ${show(unknown)}. The options are ${DATE_OPTIONS.join(', ')}.`);
  return options as Record<string, unknown>;
}

function recall<T>(known: Map<string, T>, key: string, create: () => T): T {
  const before = known.get(key);
  if (before) return before;
  const fresh = create();
  const [oldest] = known.keys();
  if (known.size >= MAX_FORMATS && oldest !== undefined) known.delete(oldest);
  if (key.length <= 10 * MAX_NAME) known.set(key, fresh);
  return fresh;
}

function show(value: unknown): string {
  if (value === undefined) return 'without a value';
  return typeof value === 'string' ? quoted(value) : `of type ${typeof value}`;
}

/** `toFault` adds the position. */
function formatError(message: string): Error {
  return Object.assign(new Error(message), { code: 'format' });
}
