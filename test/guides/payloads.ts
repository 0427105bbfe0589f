import { readFileSync, writeFileSync } from 'node:fs';
import type { Product } from '../support/product.ts';

const PAGE = 'docs/webhook-payloads.md';
const INTRODUCTION = `# The payload of every event

Examples of the payload that a [webhook](webhooks.md) receives for each event. A test has received them; only ids, times and addresses are normalized. Records have the fields that are set: there may be more, and
there may be new ones at any time.
`;

/**
 * Reads and writes the page of payloads. With `PARLANCE_UPDATE_GUIDES=1`, payloads.test.ts rewrites
 * it.
 */
export const page = {
  read: () => readFileSync(PAGE, 'utf8'),
  write: (text: string) => writeFileSync(PAGE, text),
};

/** Returns the page of payloads, with the first body of each event. */
export function payloadPage(bodies: readonly string[], { origin }: Pick<Product, 'origin'>): string {
  const events = new Map<string, unknown>();
  for (const body of bodies) {
    const event = (JSON.parse(body) as { event: string }).event;
    if (!events.has(event)) events.set(event, inOrder(body, origin));
  }
  const sections = [...events].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = sections.map(
    ([event, body]) => `\n## ${event}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`,
  );
  return INTRODUCTION + texts.join('');
}

/** Replaces ids, times, slugs and addresses, so that the body is the same in every run. */
function inOrder(body: string, origin: string): unknown {
  const ids = new Map<string, string>();
  const idOf = (id: string) => {
    if (!ids.has(id)) ids.set(id, `65f2a1c09b1d8e4f7a3c5d${String(10 + ids.size)}`);
    return ids.get(id) ?? id;
  };
  const slugs = [...body.matchAll(/"slug":"([\w-]+)"/g)].map(([, slug = '']) => slug);
  let text = body.replaceAll(origin, 'http://localhost:3000');
  new Set(slugs).forEach((slug) => (text = text.replaceAll(slug, `slug-of-${slugs.indexOf(slug) + 1}`)));
  return JSON.parse(
    text
      .replace(/\b[0-9a-f]{24}\b/g, idOf)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-03-14T09:26:53.589Z')
      .replace(/http:\/\/127\.0\.0\.1:\d+\/?/g, 'https://bot.example.com/')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}@/g, 'admin@')
      .replace(/"sequence":\d+/g, '"sequence":1'),
  );
}
