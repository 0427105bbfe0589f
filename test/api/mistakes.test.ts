import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEventType } from '../support/event-types.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const PAGE = 'docs/mistakes.md';
const ROW = /^\| ([^|`]+?) +\| (\w+) +\| `([A-Z]+) ([^ `]+)(?: ([^`]*))?` +\|(.*)\|$/;

/** If true, the test writes the current responses to the page instead of comparing them. */
const isWriting = process.env['PARLANCE_WRITE_MISTAKES'] !== undefined;

interface Mistake {
  line: number;
  mistake: string;
  as: string;
  method: string;
  path: string;
  body: string | undefined;
  answer: string;
}

const lines = readFileSync(PAGE, 'utf8').split('\n');
const mistakes = lines.flatMap((text, line): Mistake[] => {
  const [, mistake = '', as = '', method = '', path = '', body, answer = ''] = ROW.exec(text) ?? [];
  return mistake === '' ? [] : [{ line, mistake, as, method, path, body, answer: answer.trim() }];
});

describe('a mistake', () => {
  let product: Product;
  let ids: Record<string, string>;
  let tokens: Record<string, string>;

  beforeAll(async () => {
    product = await sharedApi('mistakes');
    const { organization, admin } = product;
    const upsert = {
      organization,
      contact: { profile: { email: 'ada@example.com' } },
      messages: [{ text: 'Hi' }],
    };
    const conversation = (await admin.post('/conversations', upsert)).body.id as string;
    const agent = await newUser(product, { role: 'agent' });
    const guest = await newUser(product, { role: 'viewer' });
    const join = { conversation, type: 'command', text: '/assign', meta: { users: [guest.user] } };
    await admin.post('/messages', join);
    await newEventType(product, 'order.created', '{"messages": []}');
    tokens = { admin: product.token, agent: agent.token, guest: guest.token, wrong: 'abc' };
    ids = { organization, conversation, user: agent.user };
  });
  afterAll(async () => {
    await product.close();
    if (isWriting) writeFileSync(PAGE, lines.join('\n'));
  });

  function filled(text: string): string {
    return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all);
  }

  async function answerTo({ as, method, path, body }: Mistake): Promise<string> {
    const token = tokens[as];
    const url = path.startsWith('{origin}')
      ? path.replace('{origin}', product.origin)
      : `${product.base}${path}`;
    const response = await fetch(filled(url), {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: filled(body) }),
    });
    const { message } = (await response.json()) as { message?: string };
    const said = ['x-ignored-fields', 'x-hint'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [`${name === 'x-hint' ? 'X-Hint' : 'X-Ignored-Fields'}: ${value}`];
    });
    const words = response.ok ? said : [message ?? ''];
    return `${response.status}: ${words.join(' · ').replaceAll('|', '\\|')}`;
  }

  test.each(mistakes)('a mistake gets the response in docs/mistakes.md: $mistake', async (row) => {
    const answer = await answerTo(row);
    const text = Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(id, `{${name}}`), answer);
    if (isWriting) lines[row.line] = `${(lines[row.line] ?? '').replace(/\|[^|]*\|$/, '')}| ${text} |`;
    else expect(text).toBe(row.answer);
    expect(text.length).toBeGreaterThan(20);
  });

  test('the mistakes page has at least fifty mistakes', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(50);
  });
});
