import { readFileSync } from 'node:fs';
import type { Document } from 'mongodb';
import { expect, test } from 'vitest';
import { useServer } from './support.ts';

const server = useServer();
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function named(row: string): string[] {
  const [, names = ''] = new RegExp(`^\\| ${row} +\\|(.*)\\|$`, 'm').exec(README) ?? [];
  return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/**
 * Commands that use a name of the row. The operand may be invalid, because only an unknown name
 * fails the test.
 */
const ASKED: Record<string, (name: string) => Document> = {
  commands: (name) => ({ [name]: 'c' }),
  filters: (name) => ({ find: 'c', filter: { a: { [name]: 1 } } }),
  combined: (name) => ({ find: 'c', filter: { [name]: 1 } }),
  updates: (name) => ({ findAndModify: 'c', query: {}, update: { [name]: { a: 1 } } }),
  stages: (name) => ({ aggregate: 'c', pipeline: [{ [name]: 1 }], cursor: {} }),
  accumulators: (name) => ({
    aggregate: 'c',
    pipeline: [{ $group: { _id: 1, a: { [name]: 1 } } }],
    cursor: {},
  }),
};

async function answerTo(command: Document): Promise<string> {
  const answer = server.db.command(command);
  return answer.then(
    () => 'ok',
    (error: unknown) => (error as Error).message,
  );
}

const UNKNOWN = /unknown |unrecognized|does not support|no such command/i;

test.each(Object.keys(ASKED))('the row "%s" of README.md lists only supported names', async (row) => {
  await server.db.collection('c').insertOne({ a: 2 });
  const names = named(row);
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect(await answerTo(ASKED[row]!(name)), name).not.toMatch(UNKNOWN);
  const invented = row === 'commands' ? 'invented' : '$invented';
  expect(await answerTo(ASKED[row]!(invented)), 'an invented one').toMatch(UNKNOWN);
});
