import type { Route } from '../../api/route.ts';
import { findPaths } from '../../api/listing/paths.ts';
import { buildExample, buildPartialExample, BODY_EXAMPLES } from '../../api/docs/examples.ts';
import type { Request } from './people.ts';
import { idsOf } from './tenant.ts';
import type { Tenant } from './tenant.ts';

/** Returns the first part of the path, which names the kind of record. */
export function kindOf({ path }: Pick<Route, 'path'>): string {
  return path.split('/')[1] ?? '';
}

/**
 * Builds requests with valid bodies and with ids of the victim in the path. Some paths combine a
 * user of the attacker with a key of the victim.
 */
export function pathIntrusions(row: Route, { victim, own }: { victim: Tenant; own: Tenant }): Request[] {
  // The name belongs to the organization of the caller.
  if (row.path === '/eventtypes/by-name/:name') return [];
  const kind = kindOf(row);
  const filled = (id: string, { params }: Tenant) =>
    row.path.replace(/:(\w+)/g, (_, name: string) => (name === 'id' ? id : (params[name] ?? `no ${name}`)));
  const theirs = victim.records[kind] ?? [];
  const paths = row.path.includes(':')
    ? [
        ...(row.path.includes(':id') ? theirs : ['']).map((id) => filled(id, victim)),
        ...(row.path.includes(':key') ? [filled(own.people.bot.id, victim)] : []),
      ]
    : [];
  return [...new Set(paths)].flatMap((path) =>
    bodiesOf(row).map((body) => [row.method, path, body] as const),
  );
}

function bodiesOf({ method, path, body }: Route): (object | undefined)[] {
  if (!body) return [undefined];
  const examples = Object.values(BODY_EXAMPLES[`${method} ${path}`] ?? {}).map(
    ({ value }) => value as object,
  );
  if (examples.length > 0) return examples;
  return [(method === 'PATCH' ? buildPartialExample(body) : buildExample(body)) as object];
}

/**
 * Builds list requests for records of the victim: filters on every field, every sort order and
 * every populate path.
 */
export function listIntrusions(row: Route, { victim, own }: { victim: Tenant; own: Tenant }) {
  const { items } = (row.answer ?? {}) as { items?: object };
  const paths = row.method === 'GET' && items ? findPaths(items) : undefined;
  if (!paths) return { empty: [], any: [] };
  const path = fillOwn(row, own);
  const fields = [...paths].map(([field, { kind }]) => ({ field: field.replace(/\.\*$/, '.mark'), kind }));
  const named = (kind: string) => fields.filter((one) => one.kind === kind).map(({ field }) => field);
  const ids = idsOf(victim).filter((id) => /^[0-9a-f]{24}$/.test(id));
  const texts = [...named('text'), ...named('anything')];
  const empty = [
    ...named('id').map((field) => `${field}=[${ids.join(',')}]`),
    ...texts.map((field) => `${field}=~${victim.mark}`),
    ...named('id')
      .slice(0, 3)
      .map((field) => `id,${field}=${victim.records[kindOf(row)]?.[0] ?? ids[0]}`),
  ];
  const any = [
    ...['limit=1000', `id=!=${own.organization}`, `id=![${own.organization}]`],
    ...groups(fields.map(({ field }) => field)).map((some) => `sort=${some.join(',-')}&limit=1000`),
    ...named('id').map((field) => `populate=${field}&limit=1000`),
    `organization,id=!=${own.organization}`,
  ];
  return { empty: empty.map((query) => `${path}?${query}`), any: any.map((query) => `${path}?${query}`) };
}

export function fillOwn(row: Route, { records, params }: Tenant): string {
  return row.path.replace(/:(\w+)/g, (_, name: string) =>
    name === 'id' ? (records[kindOf(row)]?.[0] ?? 'none') : (params[name] ?? 'none'),
  );
}

/** Builds commands and other requests whose content names records of the victim. */
export function saidIntrusions({ victim, own }: { victim: Tenant; own: Tenant }): Request[] {
  const conversation = own.records['conversations']?.[0];
  const [form] = victim.records['forms'] ?? [];
  const [theirs] = victim.records['conversations'] ?? [];
  const command = (text: string, meta: object = {}): Request => [
    'POST',
    '/messages',
    { conversation, type: 'command', text, meta },
  ];
  return [
    command('/assign', { users: [victim.people.bot.id] }),
    command('/assign', { user: victim.people.agent.id }),
    command('/assign', { channel: victim.records['channels']?.[0] }),
    command('/assign', { team: victim.records['channels']?.[0] }),
    ['POST', '/messages', { conversation, type: 'field', text: '.a b', meta: { form } }],
    ['POST', '/messages', { conversation, type: 'form', text: `+${victim.mark}`, meta: { form } }],
    [
      'POST',
      '/messages',
      { conversation, type: 'mention', text: 'you', meta: { targetUser: victim.people.admin.id } },
    ],
    ['POST', '/messages', { conversation: theirs, text: 'mine' }],
    [
      'POST',
      '/messages',
      [
        { conversation, text: 'mine' },
        { conversation: theirs, text: 'mine' },
      ],
    ],
    ['GET', `/links?conversation=${theirs}`],
    ['GET', `/conversations/search?q=${victim.mark}`],
    ['GET', `/messages/search?q=${victim.mark}`],
    ['GET', `/messages/search?q=${victim.mark}&conversation=${theirs}`],
  ];
}

/** Splits the fields into groups of four, the limit of one `sort`. */
function groups(fields: readonly string[]): string[][] {
  const count = Math.ceil(fields.length / 4);
  return Array.from({ length: count }, (_, at) => fields.slice(4 * at, 4 * at + 4));
}
