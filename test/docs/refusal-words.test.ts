import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

interface Words {
  place: string;
  text: string;
}

const ROOMS = ['api', 'application', 'deliveries', 'domain', 'platform', 'store', 'workflows/client'];

/** Which argument of a call says what is wrong; beside a path it is a rule, alone a sentence. */
const SAID_BY: Record<string, { at: number; isRule: (given: number) => boolean }> = {
  invalidRequest: { at: 1, isRule: () => true },
  unprocessable: { at: 0, isRule: (given) => given > 1 },
  DomainError: { at: 1, isRule: () => false },
};

/** Goes on from the path of the field that it is said of. */
const isRule = (text: string) => /^["a-z/…]/.test(text) && !text.endsWith('.');

/** Or goes on from a path that its caller adds. `jwt expired` is what clients look for (spec 3). */
const isSentence = (text: string) =>
  /^["A-Z/…].*[.?…]$/s.test(text) || /^(must|expression:) /.test(text) || text === 'jwt expired';

/** What a text or template says, with `…` for what is filled in. */
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

/** Every refusal reads alike, whichever part of the product says it (spec 2.8). */
describe('the words of refusals', () => {
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

  test('are found at all', () => {
    expect(sentences.length).toBeGreaterThan(50);
    expect(rules.length).toBeGreaterThan(80);
  });

  test('are whole sentences where they stand alone', () => {
    expect(wrong(sentences, isSentence)).toEqual([]);
  });

  test('go on from the path of a field without a full stop', () => {
    expect(wrong(rules, isRule)).toEqual([]);
  });

  test('say what must be, without an exclamation or an abbreviated "not"', () => {
    expect(wrong([...sentences, ...rules], (text) => !/!(?!=)|n't\b/.test(text))).toEqual([]);
  });
});
