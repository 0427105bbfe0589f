import { getLanguage } from './texts.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

/** Returns a size in the reader's language, such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000)));
  const unit = UNITS[power] ?? 'byte';
  const format = { style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short' } as const;
  const digits = { maximumFractionDigits: power === 0 ? 0 : 1 };
  return new Intl.NumberFormat(getLanguage(), { ...format, ...digits }).format(bytes / 1000 ** power);
}
