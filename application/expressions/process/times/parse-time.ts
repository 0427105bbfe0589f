import { offsetMinutes, readIsoTime } from '../../../../domain/iso-time.ts';
import { quoted, timeError, isZone, pictureParts } from './picture.ts';
import type { NativeFormat } from './format-time.ts';
import type { PicturePart } from './picture.ts';

export interface NativeTimes {
  format: NativeFormat;
  parse: (text: string, picture: string) => number | undefined;
}

const DAY_MS = 86_400_000;
const DECIMAL = /^#*\d*[otca]?$/;
/** Components that JSONata accepts but ignores. Its ignored weeks and weekdays are compared. */
const UNREAD = 'fCE';
const WEEKS = 'FWwXx';

/** Returns epoch milliseconds. Without an offset the time is in UTC. */
export function parseIsoTime(text: string): number {
  const time = readIsoTime(text);
  // JSONata adds the message for this code.
  if (time === undefined) throw Object.assign(new Error(), { code: 'D3110', value: text });
  if (Number.isNaN(time)) throw timeError(`The time ${quoted(text)} does not exist.`);
  return time;
}

/**
 * Returns undefined if the text does not fit the picture. Throws a fault for a time that does not
 * exist: JSONata reads 31 February as 3 March.
 */
export function parseTime(text: string, picture: string, native: NativeTimes): number | undefined {
  const parts = pictureParts(picture);
  const { rest, zone } = withoutZone(text, parts);
  if (rest === undefined) return undefined;
  const read = parts.filter((part) => !isZone(part));
  const wall = native.parse(rest, read.map((part) => part.text).join(''));
  if (wall === undefined) return undefined;
  const offset = zone === undefined ? 0 : offsetMinutes(zone);
  const isThere = fits(rest, read, { wall }, native) || endsDay(rest, read, wall, native);
  if (offset === undefined || Number.isNaN(wall) || !isThere) {
    const hasWeek = read.some(({ component = ' ' }) => WEEKS.includes(component));
    const hint = hasWeek
      ? 'A week or weekday must be that of the year, month and day, which are read.'
      : 'Years are read with all their digits.';
    throw timeError(`The time ${quoted(text)} does not exist when read by ${quoted(picture)}. ${hint}`);
  }
  return wall - offset * 60_000;
}

/** Removes the offset, because JSONata misreads some offsets. */
function withoutZone(text: string, parts: PicturePart[]): { rest?: string; zone?: string } {
  if (!parts.some(isZone)) return { rest: text };
  const found = new RegExp(`^${parts.map(toAnyPattern).join('')}$`, 'is').exec(text);
  const at = parts.findIndex(isZone);
  const before = found?.slice(1, at + 1).join('') ?? '';
  const zone = found?.[at + 1];
  if (zone === undefined) return {};
  return {
    rest: before + text.slice(before.length + zone.length),
    zone: zone.toUpperCase() === 'Z' ? '+00' : zone.replace(/^GMT/i, ''),
  };
}

function toAnyPattern(part: PicturePart): string {
  if (part.component === undefined) return `(${literal(part.text)})`;
  if (part.component === 'z') return String.raw`(GMT[-+]\d{1,2}(?::?\d\d)?)`;
  if (part.component === 'Z') return String.raw`(Z|[-+]\d{1,2}(?::?\d\d)?)`;
  return DECIMAL.test(part.presentation ?? '') && part.component !== 'P'
    ? String.raw`((?:\d+?|[a-z]+?)(?:th|st|nd|rd)?)`
    : '(.+?)';
}

interface WallTime {
  wall: number;
  hour?: number;
}

function fits(text: string, parts: PicturePart[], wall: WallTime, native: NativeTimes): boolean {
  if (Number.isNaN(new Date(wall.wall).getTime())) return false;
  const pattern = parts.map((part) => expectedText(part, wall, native)).join('');
  return new RegExp(`^${pattern}$`, 'is').test(text);
}

/** Returns whether the text means 24:00 of the previous day. */
function endsDay(text: string, parts: PicturePart[], wall: number, native: NativeTimes): boolean {
  return wall % DAY_MS === 0 && fits(text, parts, { wall: wall - DAY_MS, hour: 24 }, native);
}

function expectedText(
  { text, component, presentation = '' }: PicturePart,
  wall: WallTime,
  native: NativeTimes,
) {
  if (component === undefined) return literal(text);
  if (UNREAD.includes(component)) return '.+?';
  if (component === 'Y' && DECIMAL.test(presentation))
    return numberText(new Date(wall.wall).getUTCFullYear());
  const shown = native.format(wall.wall, `[${component}${presentation}]`);
  if (component === 'P' || !DECIMAL.test(presentation)) return wordsText(shown, text, wall, native);
  const number = parseInt(shown, 10);
  if (component === 'H' && wall.hour !== undefined) return numberText(wall.hour);
  // Midnight and noon may be written as 12 or 0.
  return component === 'h' && number === 12 ? '(?:0*12|0+)' : numberText(number);
}

function numberText(number: number): string {
  return `0*${number}(?:th|st|nd|rd)?`;
}

function wordsText(shown: string, marker: string, { wall }: WallTime, native: NativeTimes): string {
  const whole = marker.includes(',') ? native.format(wall, marker) : shown;
  const words = whole.split(/[-, ]+/).filter((word) => word !== 'and');
  return words.map(escaped).join('(?:and|[-, ])*');
}

function literal(text: string): string {
  return escaped(text === '[[' ? '[' : text.replaceAll(']]', ']'));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
