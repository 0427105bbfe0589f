import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

interface Words {
  place: string;
  text: string;
}

const ROOMS = [
  'api',
  'application',
  'deliveries',
  'domain',
  'platform',
  'schema',
  'store',
  'workflows/client',
];

/**
 * The index of the argument with the message, for each function that creates a refusal. A message
 * given with a path is a rule; a message given alone is a sentence.
 */
const SAID_BY: Record<string, { at: number; isRule: (given: number) => boolean }> = {
  invalidRequest: { at: 1, isRule: () => true },
  unprocessable: { at: 0, isRule: (given) => given > 1 },
  DomainError: { at: 1, isRule: () => false },
};

/** Returns whether a text can follow the path of its field, as a rule does. */
const isRule = (text: string) => /^["a-z/…]/.test(text) && !text.endsWith('.');

/**
 * Returns whether a text is a whole sentence, or follows a path that the caller adds. `jwt expired`
 * is also accepted, because clients match this text (spec 3).
 */
const isSentence = (text: string) =>
  /^["A-Z/…].*[.?…]$/s.test(text) || /^(must|expression:) /.test(text) || text === 'jwt expired';

/** Returns the value of a string or template, with `…` for each substitution. */
function said(node: ts.Node | undefined): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

function refusalsOf(file: string): { sentences: Words[]; rules: Words[] } {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: { sentences: Words[]; rules: Words[] } = { sentences: [], rules: [] };
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = ts.isIdentifier(node.expression) ? SAID_BY[node.expression.text] : undefined;
      const text = called && said(node.arguments?.[called.at]);
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      const words = { place: `${file}:${line}`, text: text ?? '' };
      if (called && text !== undefined)
        (called.isRule(node.arguments!.length) ? found.rules : found.sentences).push(words);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** All parts of the product give refusals the same form (spec 2.4). */
describe('the messages of refusals', () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(room, name)),
  );
  const refusals = files.map(refusalsOf);
  const sentences = refusals.flatMap((one) => one.sentences);
  const rules = refusals.flatMap((one) => one.rules);
  const wrong = (words: Words[], isRight: (text: string) => boolean) =>
    words.filter(({ text }) => !isRight(text)).map(({ place, text }) => `${place} ${text}`);

  test('the search for the messages of refusals finds sentences and rules', () => {
    expect(sentences.length).toBeGreaterThan(50);
    expect(rules.length).toBeGreaterThan(80);
  });

  test('the messages of refusals without a path are whole sentences', () => {
    expect(wrong(sentences, isSentence)).toEqual([]);
  });

  test('the messages of refusals with a path continue the path and end without a full stop', () => {
    expect(wrong(rules, isRule)).toEqual([]);
  });

  test('the messages of refusals use no exclamation mark and no abbreviated "not"', () => {
    expect(wrong([...sentences, ...rules], (text) => !/!(?!=)|n't\b/.test(text))).toEqual([]);
  });
});
