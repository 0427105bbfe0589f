import { MAX_VALUES } from '../../domain/json.ts';

const MIB = 1024 * 1024;

/** A large body of a typical caller: almost 1 MiB of prose in messages. */
export const HONEST_MESSAGES = Array.from({ length: 32 }, () => ({
  text: 'It said “no answer” again, café or not, so I\nwrote it all down. '.repeat(480).slice(0, 29_000),
}));

/**
 * The shape of a body of 1 MiB that is expensive to parse. `member` is repeated between `head` and
 * `tail`.
 */
interface BodyShape {
  head: string;
  member: (at: number) => string;
  tail: string;
  /**
   * The number of commas and opening brackets in a member and the comma after it. The limit on
   * values counts these characters.
   */
  values: number;
}

function list(head: string, member: string, tail: string): BodyShape {
  return { head: `${head}[`, member: () => member, tail: `]${tail}`, values: countsIn(member) };
}

function map(head: string, value: string, tail: string, key = (at: number) => `k${at}`): BodyShape {
  const member = (at: number) => `"${key(at)}":${value}`;
  return { head: `${head}{"a":0,`, member, tail: `}${tail}`, values: countsIn(value) };
}

function countsIn(member: string): number {
  return 1 + (member.match(/[,[{]/g)?.length ?? 0);
}

const SHAPES: Readonly<Record<string, BodyShape>> = {
  'empty actions': list('{"text":"x","conversation":"x","actions":', '{}', '}'),
  'empty items': list('{"text":"x","conversation":"x","items":', '{}', '}'),
  'items of empty actions': list('{"text":"x","items":', '{"title":"x","actions":[{},{},{}]}', '}'),
  'empty results': list('{"text":"x","results":', '{}', '}'),
  'results of many values': map('{"text":"x","results":[{"form":"x","values":', '0', '}]}'),
  'empty messages': list('', '{}', ''),
  'messages of empty actions': list('', `{"text":"x","actions":[${'{},'.repeat(99)}{}]}`, ''),
  'messages of an upsert': list('{"organization":"x","contact":{"profile":{}},"messages":', '{}', '}'),
  zeros: list('', '0', ''),
  'zeros in an unknown field': list('{"text":"x","unknown":', '0', '}'),
  'empty texts': list('{"text":"x","unknown":', '""', '}'),
  numbers: list('{"text":"x","unknown":', '123456789.123456789', '}'),
  lists: list('', '[]', ''),
  'deep lists': list('', '['.repeat(98) + ']'.repeat(98), ''),
  'lists without end': list('['.repeat(400_000), '0', ']'.repeat(400_000)),
  'objects without end': list('{"a":'.repeat(150_000), '0', '}'.repeat(150_000)),
  'unknown fields': map('', '0', ''),
  'unknown fields with numbers for names': map('', '0', '', (at) => String(at * 7919)),
  'one field many times': map('', '0', '', () => 'a'),
  prototypes: map('{"text":"x","meta":', '{}', '}', () => '__proto__'),
  'fields of meta': map('{"name":"x","text":"x","conversation":"x","meta":', '0', '}'),
  'lists in meta': list('{"name":"x","text":"x","conversation":"x","meta":{"a":', '[]', '}}'),
  'fields of an address': map('{"profile":{"address":', '0', '}}'),
  touchpoints: map('{"touchpoints":', '{}', '}'),
  participants: list('{"participants":', '{}', '}'),
  channels: list('{"channels":', '0', '}'),
  members: list('{"name":"x","members":', '{}', '}'),
  scopes: list('{"name":"x","scopes":', '"x"', '}'),
  'empty organizations of a group': list('{"name":"x","organizations":', '{}', '}'),
  categories: list('{"name":"x","categories":', '{"forms":[{},{}]}', '}'),
  tags: list('{"title":"x","name":"x","tags":', '0', '}'),
  events: list('{"name":"x","type":"webhook","params":{"url":"x","events":', '0', '}}'),
  'fields of a form': list('{"name":"x","fields":', '{}', '}'),
};

/**
 * Hostile texts by name. Each shape has two texts: one with as many members as fit into 1 MiB, and
 * one with as many as the limit on values allows.
 */
export const HOSTILE_BODIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SHAPES).flatMap(([name, shape]): [string, string][] => [
    [name, filled(shape, Infinity)],
    [`${name}, as many as the limit allows`, filled(shape, Math.floor((MAX_VALUES - 110) / shape.values))],
  ]),
  ['escapes', `{"text":"${'\\n'.repeat(MIB / 2 - 20)}"}`],
  ['escaped quotation marks', `{"text":"${'\\"'.repeat(MIB / 2 - 20)}"}`],
  ['a text without end', `{"text":"${'x'.repeat(MIB - 20)}`],
  ['a number of a million digits', `{"text":"x","unknown":${'9'.repeat(MIB - 40)}}`],
  ['numbers of 308 digits', `[${`${'9'.repeat(308)},`.repeat(3_000)}0]`],
  ['a field with a long name', `{"profile":{"address":{"${'k'.repeat(MIB - 60)}":0}}}`],
  ['nothing but space', ' '.repeat(MIB)],
]);

function filled({ head, member, tail }: BodyShape, most: number): string {
  const members: string[] = [];
  let length = head.length + tail.length;
  for (let at = 0; at < most; at += 1) {
    const one = member(at);
    length += one.length + 1;
    if (length > MIB) break;
    members.push(one);
  }
  return `${head}${members.join(',')}${tail}`.padEnd(MIB);
}
