import type { ValueOf } from './variables.ts';

export type LogFormat = ValueOf<'LOG_FORMAT'>;

/** Returns whether a process logs text: by default if its output is a terminal. */
export function isText(format: LogFormat): boolean {
  return format === undefined ? process.stdout.isTTY : format === 'text';
}

export function isColoured(): boolean {
  return process.stdout.isTTY && !process.env['NO_COLOR'];
}

/** Fields of every line, or that repeat the process's name. */
const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'v', 'logging-call-at']);
/** Fields of a request that the text of its line contains already. */
const REQUEST = new Set(['method', 'route', 'status', 'durationMs', 'bytes', 'address']);
const MAX_VALUE = 200;
const MAX_FRAMES = 5;

const PINO_LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const MONGOD_LEVELS: Readonly<Record<string, string>> = { I: 'info', W: 'warn', E: 'error', F: 'fatal' };
const COLOURS: Readonly<Record<string, number>> = { warn: 33, error: 31, fatal: 31 };

type Fields = Readonly<Record<string, unknown>>;

interface Entry {
  time: unknown;
  level: string;
  message: string;
  fields: [string, unknown][];
}

/**
 * Returns a JSON log line of pino, Temporal or mongod as text for people. Returns undefined for the
 * information that mongod logs, because it fills a screen at every start. Other lines are returned
 * unchanged.
 */
export function formatLogLine(line: string, { isColoured }: { isColoured: boolean }): string | undefined {
  const json = parseObject(line);
  if (json === undefined) return line;
  const entry = readMongod(json) ?? readEntry(json);
  if (entry === undefined) return line;
  if ('s' in json && entry.level === 'info') return undefined;
  const level = entry.level.padEnd(5);
  const colour = COLOURS[entry.level];
  const shownLevel = isColoured && colour !== undefined ? `\u001b[${colour}m${level}\u001b[39m` : level;
  const words = [formatTime(entry.time), shownLevel, entry.message].filter((word) => word !== '');
  const fields = entry.fields.flatMap(([name, value]) => formatField(name, value));
  return [...words, ...fields].join(' ') + stackLines(entry).join('');
}

function parseObject(line: string): Fields | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Fields;
  } catch {
    return undefined;
  }
}

function readMongod({ t, s, msg, attr }: Fields): Entry | undefined {
  if (typeof s !== 'string' || typeof msg !== 'string') return undefined;
  const time = (t as { $date?: unknown } | undefined)?.$date;
  const fields = Object.entries((attr ?? {}) as Fields);
  return { time, level: MONGOD_LEVELS[s] ?? 'debug', message: msg, fields };
}

/** Reads a line of pino, whose level is a number, or of Temporal. */
function readEntry(json: Fields): Entry | undefined {
  const { level, msg } = json;
  const name = typeof level === 'number' ? PINO_LEVELS[level] : level;
  if (typeof name !== 'string' || (msg !== undefined && typeof msg !== 'string')) return undefined;
  const isRequest = msg === 'request' && typeof json['method'] === 'string';
  const fields = Object.entries(json).filter(([key]) => !HIDDEN.has(key) && !(isRequest && REQUEST.has(key)));
  const message = isRequest
    ? [json['method'], json['route'], json['status'], `in ${String(json['durationMs'])} ms`].join(' ')
    : (msg ?? '');
  return { time: json['time'] ?? json['ts'], level: name.toLowerCase(), message, fields };
}

function formatTime(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : undefined;
  if (date === undefined || Number.isNaN(date.getTime())) return '';
  return date.toTimeString().slice(0, 8);
}

function formatField(name: string, value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [];
  const shown = isError(value) ? value.message : value;
  const text = typeof shown === 'string' && /^[^\s"=]+$/.test(shown) ? shown : JSON.stringify(shown);
  return [`${name}=${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text}`];
}

/** Returns the first frames of errors. A warning shows only its message. */
function stackLines({ level, fields }: Entry): string[] {
  if (level !== 'error' && level !== 'fatal') return [];
  return fields.flatMap(([, value]) => {
    if (!isError(value)) return [];
    const frames = value.stack.split('\n').filter((frame) => /^\s+at /.test(frame));
    return frames.slice(0, MAX_FRAMES).map((frame) => `\n    ${frame.trim()}`);
  });
}

function isError(value: unknown): value is { message: string; stack: string } {
  const { message, stack } = Object(value) as Fields;
  return typeof message === 'string' && typeof stack === 'string';
}
